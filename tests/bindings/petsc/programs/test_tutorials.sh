#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Programs that know nothing of ovkrylov: PETSc's tutorials, compiled from the sources that are installed,
# and a script of petsc4py, with the iterations of PETSc's own cg. PETSC_OPTIONS loads libovkpetsc.so.
# Usage: test_tutorials.sh quick|all|python|fortran TUTORIALS MPI_C_COMPILER LAUNCHER...
set -euo pipefail
what=$1 tutorials=$2 mpicc=$3
shift 3
launch=("$@")
here=$(cd "$(dirname "$0")" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
read -ra petsc <<<"$(pkg-config --cflags --libs petsc)"

# skip WHY
skip() {
  echo "skipped: $1"
  exit 77
}

# compile NAME: a tutorial in C.
compile() {
  [ -f "$tutorials/$1.c" ] || skip "there is no $tutorials/$1.c"
  "$mpicc" -w "$tutorials/$1.c" "${petsc[@]}" -lm -o "$stage/$1"
}

# counts ITERATIONS COMMAND...: must converge after so many, or one more or less.
counts() {
  local wanted=$1 said got
  shift
  said=$("${launch[@]}" "$@" -ksp_type ovk -ksp_converged_reason) || { echo "$said" && return 1; }
  got=$(sed -n 's/^ *Linear solve converged due to [A-Z_]* iterations \([0-9]*\)$/\1/p' <<<"$said")
  echo "${*##*/}: ${got:-$said}"
  [ -n "$got" ] && [ $((got - wanted)) -le 1 ] && [ $((wanted - got)) -le 1 ]
}

# The system of ex2 with a PC and a method.
ex2() { counts "$1" "$stage/ex2" -m 80 -n 80 -ksp_rtol 1e-10 -pc_type "$2" -ksp_ovk_method "$3"; }

quick() {
  compile ex2
  ex2 169 jacobi overlap
  ex2 101 bjacobi groppcg
  ex2 14 gamg pipeprcg
}

has_hypre() { pkg-config --libs --static petsc | grep -q HYPRE; }

all() {
  local method
  for name in ex2 ex45 ex54 ex56; do compile "$name"; done
  for method in cg split-cg overlap; do ex2 169 jacobi "$method"; done
  for method in cg single-reduction groppcg pipecg pipefcg pipelcg:l=1 pipelcg:l=3 \
    pipeprcg; do
    ex2 169 jacobi "$method"
    ex2 101 bjacobi "$method"
    ex2 14 gamg "$method"
    if has_hypre; then ex2 7 hypre "$method"; fi
    local small=(-ne 19 -alpha 1e-3 -ksp_rtol 1e-10 -ksp_ovk_method "$method")
    counts 12 "$stage/ex54" "${small[@]}" -pc_type gamg
    if has_hypre; then counts 7 "$stage/ex54" "${small[@]}" -pc_type hypre; fi
    counts 23 "$stage/ex56" -ne 9 -alpha 1e-3 -ksp_rtol 1e-10 -pc_type gamg -use_mat_nearnullspace \
      -ksp_ovk_method "$method"
  done
  not_symmetric
}

# ex45 keeps its Dirichlet columns: each method converges all the same, or says what is wrong.
not_symmetric() {
  local method said
  for method in cg groppcg pipecg pipeprcg pipelcg; do
    said=$("${launch[@]}" "$stage/ex45" -da_grid_x 25 -da_grid_y 25 -da_grid_z 25 -ksp_type ovk \
      -ksp_ovk_method "$method" -pc_type jacobi -ksp_rtol 1e-8 -ksp_converged_reason)
    echo "ex45 $method: $said"
    grep -qE 'Linear solve converged|not symmetric' <<<"$said"
  done
}

python() {
  PYTHONPATH=$(pkg-config --variable=libdir petsc)/python3/dist-packages:${PYTHONPATH-}
  export PYTHONPATH
  local python=/usr/bin/python3
  "$python" -c 'from petsc4py import PETSc' 2>/dev/null || skip "there is no petsc4py"
  counts 50 "$python" "$here/laplace1d.py" -pc_type jacobi -ksp_ovk_method pipecg
}

fortran() {
  local mpifort
  mpifort=$(dirname "$mpicc")/$(basename "$mpicc" | sed 's/^mpicc/mpifort/')
  [ -f "$tutorials/ex2f.F90" ] || skip "there is no $tutorials/ex2f.F90"
  "$mpifort" -w -ffree-line-length-none "$tutorials/ex2f.F90" "${petsc[@]}" -o "$stage/ex2f" || skip "no Fortran"
  counts 25 "$stage/ex2f" -m 30 -n 30 -ksp_ovk_method pipecg
}

"$what"
