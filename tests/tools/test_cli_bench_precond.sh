#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk: bench precond and assembly, small. Measured values are not checked, only iterations and
# bytes.
# Arguments: OVK RANKS LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

brief=(bench precond --rounds 1 --iters 1)
figures=(setup_ms update_ms apply_ms column_ratio left_right_ms held_mb held_of_csr moved_mb model_ms times_model iterations solve_ms)

# Commas between specs and inside them; factors or none; what is held, and the iterations of ovk solve.
run 0 "${brief[@]}" --laplace7 6 5 4 --precond ic:level=1,store=float,chebyshev:degree=2,ilu,jacobi --json -
rows out 4 precond problem method ranks "${figures[@]}"
has out '"precond": "ic:level=1,store=float"' '"precond": "chebyshev:degree=2"' \
  '"problem": "laplace7 6x5x4 per process' '"method": "cg"' "\"ranks\": $ranks"
[[ $(grep -c '"left_right_ms": null' out) == 2 ]] || fail 'chebyshev and ilu have no factors'
! grep -q '"moved_mb": null' out || fail 'no model of bytes'
counts=$(value out iterations)
for spec in ic:level=1,store=float chebyshev:degree=2 ilu jacobi; do
  run 0 solve --laplace7 6 5 4 --method cg --precond "$spec" --json -
  value out iterations
done >each
diff <(echo "$counts") each >/dev/null || fail 'not the iterations of ovk solve'

# All that the matrix allows: ic is left out where values are not symmetric.
cat >unsymmetric.mtx <<'M'
%%MatrixMarket matrix coordinate real general
8 8 22
1 1 4
2 2 4
3 3 4
4 4 4
5 5 4
6 6 4
7 7 4
8 8 4
1 2 -1
2 3 -1
3 4 -1
4 5 -1
5 6 -1
6 7 -1
7 8 -1
2 1 -2
3 2 -2
4 3 -2
5 4 -2
6 5 -2
7 6 -2
8 7 -2
M
run 0 "${brief[@]}" --matrix unsymmetric.mtx --maxit 50 --json rows.json
for name in none jacobi ssor chebyshev bjacobi ilu; do has rows.json "\"precond\": \"$name\""; done
! grep -q '"precond": "ic"' rows.json || fail 'ic is not left out'
has out 'setup ms' 'left+right' 'x model' unsymmetric.mtx '8 rows' "ranks: $ranks"

# A solve that ends early has no time.
run 0 "${brief[@]}" --laplace27 6 6 6 --precond jacobi --maxit 2 --json -
has out '"iterations": null' '"solve_ms": null'

alone run 0 bench precond --help
has out 'ovk_precond_apply'
alone refuses 'exactly one of' "${brief[@]}"
alone refuses 'exactly one of' "${brief[@]}" --laplace7 3 3 3 --laplace27 3 3 3
alone refuses "did you mean 'ssor'" "${brief[@]}" --laplace7 3 3 3 --precond ssr
alone refuses "is '0', but must be a whole number" "${brief[@]}" --laplace7 3 3 3 --maxit 0
refuses 'ic needs a symmetric A' "${brief[@]}" --matrix unsymmetric.mtx --precond ic

# Assembly: every format, as arrays and one by one.
assembly=(bench assembly --rounds 1 --box 5 4 3)
run 0 "${assembly[@]}" --json -
rows out 6 format added_as ranks first_ms second_ms third_ms ratio
for format in csr sell sym dia symdia auto; do has out "\"format\": \"$format\""; done
run 0 "${assembly[@]}" --entries --formats csr,dia
has out 'added as entries' '5x4x3 per process' 'second ms' 'third ms'
alone run 0 bench assembly --help
has out 'ovk_mat_reset_values' '  --entries      '
alone refuses "did you mean 'symdia'" "${assembly[@]}" --formats csr,symdai

finish
