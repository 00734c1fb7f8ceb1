#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# ovk diff, and the fingerprints that it compares. Arguments: OVK RANKS LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

# Solves run on all ranks, comparisons as one process.
all=("${launch[@]}")
launch=("${single[@]}")
on_ranks() {
  local launch=("${all[@]}")
  "$@"
}

# solve NAME ARGUMENTS...: writes NAME.json.
solve() { on_ranks run 0 solve --method cg --precond jacobi --fingerprints --json "$1.json" "${@:2}"; }

# A matrix whose values are those of a symmetric positive definite one; the second has another value.
awk 'BEGIN { n = 40; print "%%MatrixMarket matrix coordinate real symmetric"; print n, n, 2 * n - 1
  for (i = 1; i <= n; i++) { print i, i, 2 + i / 8; if (i > 1) print i, i - 1, -1 } }' >one.mtx
sed '0,/^7 7 .*/s//7 7 2.875001/' one.mtx >other.mtx
cmp -s one.mtx other.mtx && fail 'the same matrix'

# The same run twice.
solve first --matrix one.mtx --exact sums
solve again --matrix one.mtx --exact sums
for file in first.json again.json; do is_json "$file"; done
on_ranks run 0 diff first.json again.json
has out 'A         same     ' 'b         same     ' 'sums      same     ' 'x         same     ' \
  "history   same     up to iteration $(value first.json iterations)" 'The runs are the same.'
[[ $(grep -A 1 '"iteration": \[' first.json | tail -n 1) == '      0,' ]] || fail 'no iteration 0'

# One value of A; one of b; fewer iterations; other arguments.
solve matrix --matrix other.mtx --rhs ones --exact sums
solve ones --matrix one.mtx --rhs ones --exact sums
run 1 diff ones.json matrix.json
has out 'problem   one.mtx | other.mtx' 'A         differs  ' 'b         same     ' 'The runs part before the solve: the matrices differ.'
run 1 diff first.json ones.json
has out 'A         same     ' 'b         differs  ' 'The runs part before the solve: the right-hand sides differ.'
solve short --matrix one.mtx --exact sums --atol 1e-3
refuses "these runs cannot be compared: atol is 0 in first.json and 0.001" diff first.json short.json
on_ranks run 1 solve --method cg --precond jacobi --fingerprints --json few.json --matrix one.mtx --exact sums --maxit 5
run 1 diff first.json few.json
has out 'history   differs  few.json ends at iteration 5' 'The runs part at iteration 5. A and b are the same.'

# Other backends: the same bits with exact sums, and an iteration where they part without.
for backend in blocking nbc:alg=ring; do
  solve "$backend" --matrix one.mtx --exact sums --backend "$backend"
done
run 0 diff blocking.json nbc:alg=ring.json
has out 'backend   blocking | nbc:alg=ring' 'The runs are the same.'
solve off --matrix one.mtx
run "$((ranks > 2))" diff first.json off.json
has out 'sums      unknown  off.json has none: solve with --exact sums'
sed '/"residual": \[/,/]/s/^\( *[1-9][0-9.]*\)[0-9]\(e-..,\)$/\1X\2/; s/X/123/' first.json >changed.json
cmp -s first.json changed.json && fail 'the same residuals'
run 1 diff first.json changed.json
grep -qE 'history   differs  from iteration [0-9]+ on: residual [0-9.e-]+ \| [0-9.e-]+, sums ' out || fail 'no iteration'
has out 'A and b are the same'

# Without a history, and another x.
on_ranks run 0 solve --method cg --precond jacobi --exact sums --matrix one.mtx --json plain.json
! grep -q history plain.json || fail 'a history that nobody asked for'
run 0 diff first.json plain.json
has out 'history   unknown  plain.json has none: solve with --fingerprints'
sed '/"x": /s/"[0-9a-f]*"\(,\{0,1\}\)$/"0"\1/' plain.json >x.json
run 1 diff plain.json x.json
has out 'x         differs  ' 'The runs part in the solve. A and b are the same.'

# What cannot be compared, and is no run.
solve model --laplace7 3 3 3 --exact sums
refuses 'these runs cannot be compared: rows is 40 in first.json and '"$((27 * ranks))"' in model.json' diff first.json model.json
on_ranks run 0 solve --method pipecg --precond jacobi --exact sums --matrix one.mtx --json pipecg.json
refuses 'these runs cannot be compared: method is "cg" in first.json and "pipecg" in pipecg.json' diff first.json pipecg.json
on_ranks run 0 solve --matrix one.mtx --json bare.json
refuses 'bare.json has no fingerprints: `ovk solve' diff first.json bare.json
refuses 'cannot read nowhere.json: No such file' diff nowhere.json first.json
refuses 'diff: which two files?' diff first.json
for text in '' '{' '{"fingerprint": {"A": }}' '[1, 2' '"a' '{"a" 1}' '{} x' "$(printf '[%.0s' {1..80})"; do
  echo "$text" >fault.json
  refuses 'fault.json, line ' diff first.json fault.json
done
printf '{\n"a": 1,\nb}\n' >fault.json
refuses 'fault.json, line 3: this is not JSON' diff fault.json first.json
echo '{"fingerprint": 3, "a\"b": [], "c": {"d": [{}, -1.5e-3, true]}}' >odd.json
refuses 'odd.json has no fingerprints' diff odd.json first.json

finish
