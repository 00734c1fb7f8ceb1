#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# ovk run: the program's output and exit status, the table, the files of the ranks, and what is refused.
# Arguments: OVK MPIEXEC REFUSED_REDUCTIONS.
set -- "$1" 2 "$2" "$3"
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"
launch=() # it starts mpiexec itself
mkdir tmp
export TMPDIR=$work/tmp

# Files stay, those of an earlier run go; the program starts in this folder.
echo '1,MPI_Bcast,of an earlier run,1,1,1.0' | tee kept.0 >kept.1
run 0 run --log kept -- "$ovk" solve --laplace7 4 4 4 --json solve.json
has out 'CONVERGED_RTOL'
has solve.json '"ranks": 2'
has err 'ovk run: what became of the calls of 2 of 2 ranks'
grep -qE '^  MPI_Allreduce +carried +[1-9][0-9]* +[1-9]' err || fail 'no all-reduce was carried'
! grep -q 'earlier' err kept.0 kept.1 || fail 'what an earlier run has left'
sum=$(awk -F, '$2 == "MPI_Barrier" && $3 == "carried" { n += $4 } END { print n }' kept.0 kept.1)
grep -qE "^  MPI_Barrier +carried +$sum +0 " err || fail "not $sum barriers"

# Types and operations that are passed to the MPI, with the bytes of all ranks.
run 0 run --log refused -- "$4"
has refused.0 'rank,call,what became of it,calls,bytes,seconds,first'
grep -qE '^0,MPI_Allreduce,type or operation,4,208,[0-9.]+,MPI_LONG_DOUBLE with MPI_MAX$' refused.0 || fail 'a long double'
grep -qE '^  MPI_Allreduce +type or operation +8 +52 +[0-9.]+  MPI_LONG_DOUBLE with MPI_MAX$' err || fail 'its row'
grep -qE '^  MPI_Reduce +type or operation +2 +48 .*  row  of two with a user-defined operation$' err || fail 'a name'
grep -qE '^  MPI_Iallreduce .*  a derived type with a user-defined operation$' err || fail 'no name'
grep -qE '^  MPI_Barrier +carried +[0-9]+ +0 +[0-9.]+$' err || fail 'a row without names'
grep -qE '^  MPI_Alltoallv +in place ' err || fail 'not in place'

# Settings, and an exit status that is not 0.
run 1 run -n=2 --backend none --max-bytes 8 "$ovk" solve --laplace7 4 4 4 --maxit 1
has out 'ranks              2'
grep -qE '^  MPI_Allreduce +switched off ' err || fail 'not switched off'
has err '  0 of '
[[ -z $(ls tmp) ]] || fail 'temporary files are left'

# A program that cannot be started is one sentence; env in the ranks finds out about that of NAME=VALUE PROGRAM.
touch no-program
for command in run petsc; do
  run 127 $command ./no-such-program
  [[ $(<err) == "ovk: $command: cannot start ./no-such-program: No such file or directory" ]] || fail 'no sentence'
  run 127 $command -n 3 -- no-such-program --help
  [[ $(<err) == "ovk: $command: cannot start no-such-program: No such file or directory" ]] || fail 'not in PATH'
  run 126 $command ./no-program
  [[ $(<err) == "ovk: $command: cannot start ./no-program: Permission denied" ]] || fail 'not executable'
  run 126 $command ./tmp
  [[ $(<err) == "ovk: $command: cannot start ./tmp: Is a directory" ]] || fail 'a folder'
done
[[ -z $(ls tmp) ]] || fail 'a log of no program'
run 127 run NAME=value ./no-such-program
has err 'mpiexec, which ended with status'

# Exact sums.
run 0 run --exact -- "$ovk" solve --laplace7 4 4 4 --backend blocking
grep -qE '^  MPI_Allreduce +exact sum +[1-9][0-9]* +[1-9]' err || fail 'no sum was exact'

# It loads no library of the MPI, which would take longer than its own work. For other commands it needs the program
# beside it.
! ldd "$ovk" | grep -E 'libmpi|blas|HYPRE' || fail 'ovk loads libraries that it does not need'
mkdir alone
cp "$ovk" alone
whole=$ovk ovk=$work/alone/ovk
PATH=/usr/bin:/bin run 3 list
has err 'ovk: cannot start ovk-tool beside it: No such file'

# LD_PRELOAD ends a name at a space.
mkdir -p 'a b/bin' 'a b/lib'
cp "$whole" 'a b/bin/ovk'
touch 'a b/lib/libovk_mpi.so'
ovk="$work/a b/bin/ovk"
run 3 run true
has err "its path has a ' ': install ovkrylov in another folder"
ovk=$whole

# Nothing is started.
refuses 'cannot write' run --log no/such/folder true
refuses 'run: which program?' run -n 3 --
refuses "is '0', but must be a whole number" run -n 0 true
refuses "--backend is 'shn', but must be auto, shm or none; did you mean 'shm'?" run --backend=shn true
launch=("$3" -n 2)
refuses 'run starts mpiexec by itself' run true

finish
