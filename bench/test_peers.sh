#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The drivers of bench/peers solve the same systems with the same results. Arguments: SOURCE BIN MPIEXEC DRIVER...
set -uo pipefail
cd "$1" || exit 1
# shellcheck source=scripts/lib
. scripts/lib
bin=$2 mpiexec=$3
drivers=("${@:4}")
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s: %s\n' "$last" "$1"
}

# run RANKS DRIVER ARGUMENTS...: its JSON goes to the file out.
run() {
  last="${*:2} on $1"
  timeout 60 "$mpiexec" -n "$1" "$bin/$2" "${@:3}" --json - >"$work/out" 2>"$work/err" ||
    fail "$(cat "$work/err")"
}

# value KEY: the number or string behind a key of the file out.
value() {
  sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$work/out"
}

# near A B LIMIT: |A - B| <= LIMIT |B|.
near() {
  awk -v a="$1" -v b="$2" -v limit="$3" \
    'BEGIN { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b; exit !(a != "" && b != "" && d <= limit * m) }'
}

# same_matrix: the entries are those of the first run of this problem.
same_matrix() {
  : "${checksum:=$(value checksum)}"
  [ "$(value checksum)" = "$checksum" ] || fail "other entries: $(value checksum), not $checksum"
}

# check_converged: to the solution of the first run of this problem.
check_converged() {
  same_matrix
  : "${norm:=$(value solution_norm)}"
  [ "$(value converged)" = true ] || fail "did not converge"
  near "$(value true_relative_residual)" 0.5e-8 1.04 || fail "residual $(value true_relative_residual)"
  near "$(value solution_norm)" "$norm" 1e-6 || fail "another solution: $(value solution_norm), not $norm"
}

# check_solve: in as many iterations as well.
check_solve() {
  check_converged
  : "${iterations:=$(value iterations)}"
  local off=$(($(value iterations) - iterations))
  [ "${off#-}" -le 1 ] || fail "$(value iterations) iterations, not $iterations"
}

# check_apply: the preconditioner is that of the first run of this problem on as many ranks.
check_apply() {
  same_matrix
  : "${norm:=$(value application_norm)}"
  near "$(value application_norm)" "$norm" 1e-12 || fail "||C^-1 x|| is $(value application_norm), not $norm"
}

check_product() {
  same_matrix
  : "${norm:=$(value product_norm)}"
  near "$(value product_norm)" "$norm" 1e-13 || fail "another product: $(value product_norm), not $norm"
}

# each CHECK NX NY NZ PROBLEM ARGUMENTS...: every driver, on 1 rank and on 2 with half as many planes.
each() {
  local driver
  checksum='' iterations='' norm=''
  for driver in "${drivers[@]}"; do
    run 1 "$driver" "$5" "$2" "$3" "$4" "${@:6}" && "$1"
    run 2 "$driver" "$5" "$2" "$3" $(($4 / 2)) "${@:6}" && "$1"
  done
}

for problem in --laplace27 --varsym27 --irregular27 --cubes7 --graph27 --elasticity; do
  each check_solve 9 8 14 "$problem"
done
each check_solve 20 20 24 --irregular27 --rhs random # more than one window of rows
each check_solve 9 8 14 --cubes7 --steps 3 # the same values in the last step
each check_product 9 8 14 --convdiff7 --product 2

# Several right-hand sides; hypre has none.
checksum='' norm=''
for driver in "${drivers[@]}"; do
  [ "$driver" = hypre_pcg ] && continue
  for ranks in 1 2; do run "$ranks" "$driver" --varsym27 9 8 $((14 / ranks)) --columns 5 && check_converged; done
done
each check_product 20 20 24 --irregular27 --product 2

# A file that holds one triangle, with a row that has only a diagonal entry. Rows differ so much in
# size that a test with the preconditioner's norm would stop at another iteration.
awk 'function size(i) { return 1 + 40 * (i % 4) }
  BEGIN { n = 61; print "%%MatrixMarket matrix coordinate real symmetric"; print n, n, 2 * n - 3
  for (i = 1; i <= n; i++) {
    print i, i, (2.5 + i / n) * size(i) ^ 2
    if (i > 1 && i != 7 && i != 8) print i, i - 1, -1.25 * size(i) * size(i - 1)
  } }' \
  >"$work/a.mtx"
checksum='' iterations='' norm=''
for driver in "${drivers[@]}"; do
  for ranks in 1 2; do run "$ranks" "$driver" --matrix "$work/a.mtx" && check_solve; done
done

# Preconditioners that are the same: incomplete factors and symmetric sweeps of each rank's block.
# has DRIVER: it is built.
has() {
  case " ${drivers[*]} " in *" $1 "*) true ;; *) false ;; esac
}

# same_precond RANKS DRIVER:PRECOND...: applied to the same vector, then in solves.
same_precond() {
  local word problem
  for problem in --laplace7 --varsym27; do
    checksum='' iterations='' norm=''
    for word in "${@:2}"; do
      has "${word%%:*}" || continue
      run "$1" "${word%%:*}" "$problem" 9 8 $((14 / $1)) --precond "${word#*:}" --apply 2 && check_apply
    done
    checksum='' iterations='' norm=''
    for word in "${@:2}"; do
      has "${word%%:*}" || continue
      run "$1" "${word%%:*}" "$problem" 9 8 $((14 / $1)) --precond "${word#*:}" && check_solve
    done
  done
}

incomplete=(ovk_pcg:ic ovk_pcg:ilu petsc_ksp:icc petsc_ksp:ilu hypre_pcg:ilu)
# A hypre of mixed integers has no Euclid.
timeout 60 "$bin/hypre_pcg" --laplace7 3 3 3 --precond euclid >/dev/null 2>"$work/err"
grep -q HYPRE_EuclidCreate "$work/err" || incomplete+=(hypre_pcg:euclid)
for ranks in 1 2; do
  same_precond "$ranks" "${incomplete[@]}"
  same_precond "$ranks" ovk_pcg:ssor petsc_ksp:sor hypre_pcg:ssor
  same_precond "$ranks" ovk_pcg:jacobi petsc_ksp:jacobi hypre_pcg:jacobi
done
# Polynomials of about the same degree, between other bounds.
checksum='' norm=''
for driver in "${drivers[@]}"; do
  for ranks in 1 2; do
    run "$ranks" "$driver" --laplace27 9 8 $((14 / ranks)) --precond chebyshev && check_converged
    run "$ranks" "$driver" --laplace27 9 8 $((14 / ranks)) --precond chebyshev --apply 2 && same_matrix
  done
done
if timeout 60 "$bin/ovk_pcg" --laplace7 3 3 3 --precond ick >/dev/null 2>"$work/err"; then
  last='ovk_pcg --precond ick' && fail 'accepted'
fi

# The methods of PETSc that are compared.
case " ${drivers[*]} " in
*" petsc_ksp "*)
  checksum='' iterations='' norm=''
  for method in cg groppcg pipecg; do
    for ranks in 1 2; do run "$ranks" petsc_ksp --varsym27 9 8 $((14 / ranks)) --method "$method" && check_solve; done
  done
  # A format that takes PETSc's MatConvert() quadratic time on 2 ranks.
  checksum='' iterations='' norm=''
  for ranks in 1 2; do run "$ranks" petsc_ksp --laplace27 24 24 $((24 / ranks)) --format sbaij && check_solve; done
  ;;
esac

# The program `ovk` solves the same problem, where it is built.
if [ -x "$bin/ovk" ]; then
  run 2 ovk_pcg --laplace27 9 8 7
  iterations=$(value iterations) nnz=$(value nnz)
  timeout 60 "$mpiexec" -n 2 "$bin/ovk" solve --laplace27 9 8 7 --grid 1 1 2 --precond jacobi --json - >"$work/out"
  last="ovk solve"
  [ "$(value iterations) $(value nnz)" = "$iterations $nnz" ] || fail "is not the same problem"
fi

# The table of storage formats.
if [ -x "$bin/ovk" ] && command -v python3 >/dev/null; then
  last='compare --formats'
  timeout 60 bench/compare --build "$bin/.." --out "$work/formats" --ranks 1 --size 6 --rounds 1 --formats \
    --product 1 --problems convdiff7 --programs 'ovk ovk//csr ovk//sym' >/dev/null 2>"$work/err" ||
    fail "$(cat "$work/err")"
  grep -Eq '^\| convdiff7, 1 rank \| [a-z]+ +\| [a-z]+ +\| [0-9.]+ +\| [0-9.]+ ' "$work/formats/table.md" ||
    fail 'no choice in the table'
fi

printf '%d failures\n' "$failures"
[ "$failures" = 0 ]
