#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk with exact sums: fingerprints as a C program has them (OVK_TEST_SOLVE_FINGERPRINTS, which is
# solve_fingerprints.c), and `ovk bench exact`. Arguments: OVK RANKS LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

# JSON and table have the fingerprints of the C program.
run 0 solve --laplace27 6 5 4 --grid 1 1 "$ranks" --method pipecg --precond jacobi --exact sums --json sums.json
is_json sums.json
last='solve_fingerprints'
timeout 500 "${launch[@]}" "$OVK_TEST_SOLVE_FINGERPRINTS" >should 2>err </dev/null || fail 'the C program fails'
[[ $(wc -l <should) == 4 ]] || fail 'not four fingerprints'
while read -r key hash; do
  [[ $(value sums.json "$key") == "$hash" ]] || fail "JSON has another $key than $hash"
  has out "$key=$hash"
done <should

# exact=all refuses what `auto`, the default, may choose: without --precond it is `jacobi`.
run 0 solve --laplace27 6 5 4 --grid 1 1 "$ranks" --method cg --exact all --json -
has out '"precond": "jacobi"'

# Without exact sums there is none of the totals.
run 0 solve --laplace27 6 5 4 --grid 1 1 "$ranks" --method pipecg --precond jacobi --fingerprints --json plain.json
[[ $(value plain.json A) == "$(value sums.json A)" ]] || fail 'another A'
[[ -z $(value plain.json sums) ]] || fail 'a fingerprint of plain sums'
! grep -q '"sums"' plain.json || fail 'a history of plain sums'

# The benchmark.
brief=(bench exact --rounds 1 --sizes 4,5 --methods cg,gmres)
run 0 "${brief[@]}" --formats csr,symdia --json -
rows out 16 size format method exact ranks iteration_us iteration_min_us ratio iterations
has out '"method": "gmres"' '"format": "symdia"' '"exact": "sums"' '"size": 5' "\"ranks\": $ranks"
[[ $(grep -c '"ratio": 1,\{0,1\}$' out) -ge 8 ]] || fail 'no base of the ratios'
run 0 "${brief[@]}" --problem varsym27 --exact sums,off
has out 'exact sums; varsym27, jacobi' 'iteration us' '   4^3  ' '  gmres     off'
run 0 bench exact --rounds 1 --sizes 4 --methods cg --formats csr --exact off,all --json -
rows out 2 exact ratio
alone run 0 bench exact --help
has out 'microseconds an iteration' 'default laplace27)'
alone refuses "did you mean 'gmres'?" bench exact --sizes 4 --methods gmrs
alone refuses "exact = 'sum': must be" "${brief[@]}" --exact off,sum
alone refuses "--sizes is '1', but must be" bench exact --sizes 1

finish
