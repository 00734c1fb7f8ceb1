#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# ovk petsc: whose the solves were, options of the user's, the check of PETSc, and what is refused.
# Arguments: OVK MPIEXEC PROGRAM COMPILER.
program=$3 compiler=$4
set -- "$1" 2 "$2"
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"
launch=() # it starts mpiexec itself
mkdir tmp
export TMPDIR=$work/tmp
unset PETSC_OPTIONS

# line PATTERN: a line of the report.
line() { grep -qE "^  $1" err || fail "no line '$1'"; }

# -ksp_type ovk does not reach what is named in code; the exit status is the program's.
run 4 petsc -- "$program" -pc_type jacobi
has out 'done'
has err 'ovk: linear solves of this program, times of rank 0'
line '[12] solves? by ovk with [a-z0-9:=,-]+ \([0-9]+ iterations, [0-9.e-]+ s\)$'
line '3 solves by cg \(.*: named in the code, .* -ovk_take cg takes it'
[[ -z $(ls tmp) ]] || fail 'temporary files are left'

# Estimates of eigenvalues are nothing that --take would take.
run 4 petsc -n 1 -- "$program" -pc_type gamg -pc_gamg_coarse_eq_limit 5
line '[0-9]+ solves? by gmres .*: estimates eigenvalues, as the program or a PC requests$'
! grep -q 'ovk_take gmres takes it' err || fail 'estimates are not taken'
! grep -q 'preonly' err || fail 'the coarse solve, a PC alone, is no Krylov solve'

# The PC on both sides is nothing that ovk has.
run 4 petsc -n 1 --take gmres "$program" -named 0 -pc_type jacobi -ksp_pc_side symmetric
line '2 solves by gmres .*: has the PC on both sides'

# --take does, and leaves the others alone.
run 4 petsc -n=1 --take cg,minres "$program" -pc_type jacobi
line '[1-3] solves? by ovk with [a-z0-9:=,-]+ \(.*\) as cg$'
line '2 solves by gmres .*-ovk_take gmres takes it'

# Each column of KSPMatSolve() counts, by ovk and by PETSc; a preonly inside of it is not listed.
run 4 petsc -n 1 "$program" -named 0 -columns 3 -pc_type bjacobi -ksp_ovk_method gmres
line '5 solves by ovk with gmres[a-z0-9:=,-]* \([0-9]+ iterations, [0-9.e-]+ s\)$'
! grep -q 'preonly' err || fail 'a block within a solve of columns is counted as a solve'
run 4 petsc -n 1 --take cg "$program" -named 0 -columns 3 -ksp_type preonly
line '5 solves by preonly \(.*: asked for by this name$'

# Solves inside of others; a type that the user asks for, in PETSC_OPTIONS, which loads a library of its own.
PETSC_OPTIONS="-ksp_type minres -dll_append ${ovk%/bin/ovk}/lib/libovkpetsc.so -pc_type bjacobi" \
  run 4 petsc --take=cg "$program" -sub_ksp_type cg
line '2 solves by minres .*: asked for by this name$'
line '[0-9]+ solves? by ovk with [a-z0-9:=,-]+ inside of others \(.*\) as cg$'

# A program without PETSC, and names that are not known.
run 0 petsc true
has err 'ovk petsc: no solves are reported: the program does not initialize PETSc'
status=0
"$ovk" petsc -n 1 --take gmre "$program" >out 2>err </dev/null || status=$?
[[ $status != 0 && $status != 4 ]] || fail "an unknown name: exit status $status"
grep -q "'gmre' cannot be taken: all, or any of cg" out err || fail 'no message on gmre'

# Another PETSc is seen before the start.
echo 'int another_petsc(void); int another_petsc(void) { return 0; }' >library.c
echo 'int another_petsc(void); int main(void) { return another_petsc(); }' >main.c
if "$compiler" -shared -fPIC library.c -Wl,-soname,libpetsc_other.so.9 -o libpetsc_other.so.9 &&
  "$compiler" main.c ./libpetsc_other.so.9 -Wl,-rpath,"$work" -o other; then
  refuses 'uses libpetsc_other.so.9, but libovkpetsc.so was built for libpetsc' petsc ./other
fi

# Nothing is started.
refuses 'petsc: which program?' petsc -n 3
refuses "unknown option '--tak', did you mean '--take'?" petsc --tak cg "$program"

# The options file.
run 0 petsc --options
file=$(<out)
has "$file" '-dll_append /' '-ksp_type ovk'
PETSC_OPTIONS="-options_file $file" "$program" -ksp_view >out 2>err </dev/null
has out 'type: ovk'

# PETSC_OPTIONS ends a name at a space.
mkdir -p 'a b/bin' 'a b/lib'
cp "$ovk" 'a b/bin/ovk'
touch 'a b/lib/libovkpetsc.so'
ovk="$work/a b/bin/ovk"
run 3 petsc "$program"
has err "its path has a ' ': install ovkrylov in another folder"
ovk=$1

launch=("$3" -n 2)
refuses 'petsc starts mpiexec by itself' petsc "$program"

finish
