#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs programs/carry_limits.c with libovk_mpi.so preloaded: one line a rank says that there is no thread, and after a
# communicator that could not be set up the next one is carried.
# Usage: carry_limits.sh LIBRARY LAUNCHER... -- PROGRAM
set -euo pipefail
library=$1
shift
launch=()
while [ "$1" != -- ]; do launch+=("$1") && shift; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${launch[@]}" env LD_PRELOAD="$library" OVK_MPI_LOG="$work/log" "$2" 2>"$work/said" || {
  cat "$work/said"
  exit 1
}
cat "$work/said" "$work/log.0"
said=$(grep -c 'libovk_mpi: cannot start a thread' "$work/said") # once on each rank that is ahead
[ "$said" -ge 1 ] && [ "$said" -le 2 ]
grep -q '^0,MPI_Allreduce,could not be set up,6,' "$work/log.0"
grep -q '^0,MPI_Allreduce,carried,5,' "$work/log.0"
