#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk with matrices and vectors from files, good and bad. Arguments: OVK RANKS
# LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

# matrix FILE ROWS "I J VALUE"...: writes a symmetric matrix.
matrix() {
  {
    echo '%%MatrixMarket matrix coordinate real symmetric'
    echo "$2 $2 $(($# - 2))"
    printf '%s\n' "${@:3}"
  } >"$1"
}

matrix good.mtx 4 '1 1 4' '2 1 -1' '2 2 4' '3 2 -1' '3 3 4' '4 3 -1' '4 4 4'
matrix unit.mtx 4 '1 1 1' '2 2 1' '3 3 1' '4 4 1'
matrix one.mtx 1 '1 1 5'
matrix indefinite.mtx 2 '1 1 1' '2 1 2' '2 2 1'
matrix hole.mtx 3 '1 1 1' '2 1 1' '3 3 1'
matrix nan.mtx 3 '1 1 1' '2 2 nan' '3 3 1'
matrix outside.mtx 3 '1 1 1' '5 2 1' '3 3 1'
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n' >three.mtx
printf '%%%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n' >four.mtx
printf '%%%%MatrixMarket matrix array real general\n4 1\n0\n0\n0\n0\n' >zero.mtx
echo 'no matrix' >text.mtx

# More ranks than rows, and a solution that is known: A ones is the default right-hand side.
run 0 solve --matrix good.mtx --solution x.mtx --rtol 1e-14
tail -n +3 x.mtx | awk '{ if (($1 - 1) ^ 2 > 1e-20) exit 1 }' || fail 'x is not ones'
run 0 solve --matrix one.mtx --json -
[[ $(value out rows) == 1 && $(value out problem) == one.mtx ]] || fail 'not the 1 by 1 matrix'

# The matrix may stand alone, with any options around it.
for words in 'good.mtx --rtol 1e-3' '--rtol 1e-3 good.mtx'; do
  # shellcheck disable=SC2086
  run 0 solve $words --json -
  [[ $(value out problem) == good.mtx ]] || fail 'not the matrix that stands alone'
done
refuses "unexpected 'one.mtx'" solve --matrix good.mtx one.mtx
refuses "unexpected 'one.mtx'" solve good.mtx one.mtx
refuses '--matrix good.mtx and --solution good.mtx are the same file' solve good.mtx --solution good.mtx

# Any name of a file makes a JSON string.
odd=$'quote" slash\\ byte\xff.mtx'
cp one.mtx "$odd"
run 0 solve --matrix "$odd" --json -
is_json out
has out '"problem": "quote\" slash\\ byte\ufffd.mtx"'

# A random right-hand side depends on the row alone: the same numbers on any number of ranks.
run 0 solve --matrix unit.mtx --precond none --rhs random --solution x.mtx
tail -n +3 x.mtx | awk '{ printf "%.6f ", $1 }' >numbers
has numbers '0.766622 -0.136944 -0.947132 0.941764'

# The solution can be read back, as a right-hand side: A x = four, so from rhs x to another x.
run 0 solve --matrix good.mtx --rhs four.mtx --solution x.mtx
run 0 solve --matrix good.mtx --rhs x.mtx

# b = 0: nothing to do, and a history that says so.
run 0 solve --matrix good.mtx --rhs zero.mtx --history history.csv --format csr
has out 'CONVERGED_ZERO_RHS'
[[ $(cat history.csv) == iteration,* ]] || fail 'no heading'

# Method auto finds out that A is indefinite.
run 0 solve --matrix indefinite.mtx --rhs random --json -
has out '"method": "minres"'

# Did not converge: a report, and a message that says why.
run 1 solve --matrix indefinite.mtx --rhs random --method cg --json -
is_json out
has out '"converged": false' '"reason": "BREAKDOWN_INDEFINITE_A"'
has out "\"sentence\": \"$(sed -n '/^ovk: /{s///; s/"/\\"/g; p}' err)\""
has err 'ovk: '
run 1 solve --matrix nan.mtx --precond none --json -
is_json out
has out '"reason": "NAN"' '"true_relative_residual": null'

# An older result stays as it is until there is a new one, with its permissions; a link stays a link.
echo old >result.json
chmod 604 result.json
ln -s result.json link.json
refuses 'nowhere.mtx' solve --matrix nowhere.mtx --json link.json --history nothing.csv --solution nothing.mtx
[[ $(cat result.json) == old && ! -e nothing.csv && ! -e nothing.mtx ]] || fail 'a file of a solve that was not'
run 0 solve --matrix good.mtx --json link.json
is_json result.json
[[ -L link.json && $(stat -c %a result.json) == 604 ]] || fail 'another kind of file'
[[ -z $(find . -name '*.json.*' -o -name '.ovk*') ]] || fail 'something is left behind'
(umask 027 && run 0 solve --matrix good.mtx --json new.json --solution new.mtx)
[[ $(stat -c %a new.json new.mtx | tr '\n' ' ') == '640 640 ' ]] || fail 'not what umask leaves'

# Nothing is written over what is read.
cp good.mtx original.mtx
ln good.mtx same.mtx
refuses '--matrix good.mtx and --solution same.mtx are the same file' solve --matrix good.mtx --solution same.mtx
refuses '--matrix good.mtx and --json ./good.mtx are the same file' solve --matrix good.mtx --json ./good.mtx
# All columns of a file; a column of zeros is done at once.
printf '%%%%MatrixMarket matrix array real general\n4 3\n' >columns.mtx
printf '%s\n' 1 2 3 4 0 0 0 0 -1 1 -1 1 >>columns.mtx
run 0 solve --matrix good.mtx --rhs columns.mtx --solution x.mtx --json -
has out '"columns": [' '"reason": "CONVERGED_ZERO_RHS"'
grep -qx '4 3' x.mtx || fail "the solution does not have 3 columns"
refuses '--columns is 2, but the file of --rhs has 3 columns' solve --matrix good.mtx --rhs columns.mtx --columns 2
refuses '--rhs four.mtx and --solution four.mtx are the same' solve --matrix good.mtx --rhs four.mtx --solution four.mtx
refuses '--solution new and --json new are the same' solve --matrix good.mtx --solution new --json new
cmp -s good.mtx original.mtx || fail 'the matrix was written'
run 0 solve --matrix good.mtx --rhs ones --solution ones
run 0 solve --matrix good.mtx --rhs ones --solution ones # a name, not the file of that name

# Refused.
refuses "'one' is no file and none of ones, Aones, random; did you mean 'ones'?" solve --matrix good.mtx --rhs one
refuses 'ones.mtx: No such file' solve --matrix good.mtx --rhs ones.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2147483647 2147483647 0\n' >huge.mtx
refuses 'huge.mtx:2: singular: 2147483647 rows, but 0 entries' solve --matrix huge.mtx
refuses 'points on a process are more than 2^31 - 1' solve --laplace27 100000 100000 100000
refuses 'nowhere.mtx' solve --matrix nowhere.mtx
refuses 'text.mtx:1' solve --matrix text.mtx
refuses 'outside.mtx:4' solve --matrix outside.mtx
refuses '.' solve --matrix .
refuses 'diagonal' solve --matrix hole.mtx --precond jacobi
refuses 'nowhere.mtx' solve --matrix good.mtx --rhs nowhere.mtx
refuses 'three.mtx' solve --matrix good.mtx --rhs three.mtx
refuses "did you mean 'csr'?" solve --matrix good.mtx --format cssr

finish
