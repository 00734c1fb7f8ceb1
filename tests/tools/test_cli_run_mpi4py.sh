#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# ovk run of a program of mpi4py, with no setting: all its calls are carried.
# Arguments: OVK "Open MPI" | MPICH PYTHON...
kind=$2 pythons=("${@:3}")
set -- "$1" 2
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"
program=${BASH_SOURCE[0]%/*}/run_mpi4py.py
launch=() # it starts mpiexec itself

# The MPI of its mpi4py, or nothing; MPI is not initialized.
mpi_of() {
  "$1" -c 'import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(MPI.get_vendor()[0])' \
    2>/dev/null
}

for python in "${pythons[@]}"; do
  [[ $(mpi_of "$python") == "$kind" ]] || continue
  run 0 run -- "$python" "$program"
  has out 'all results are right'
  for call in Allreduce Reduce Bcast Barrier Gatherv Allgatherv Scatterv Alltoallv; do
    grep -qE "^  MPI_$call +carried " err || fail "no MPI_$call was carried"
  done
  ! grep -E '^  MPI_[^I]' err | grep -v ' carried ' || fail 'a call that blocks was handed back'
  finish
  exit
done
echo "skipped: none of ${pythons[*]} has mpi4py with $kind"
exit 77
