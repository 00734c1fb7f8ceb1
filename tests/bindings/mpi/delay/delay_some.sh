#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# libovk_delay.so with a delay on one rank only, and with libovk_mpi.so in either order.
# Usage: delay_some.sh LIBOVK_DELAY LIBOVK_MPI MPIEXEC FLAG PROGRAM
set -euo pipefail
delay=$1 carry=$2 mpiexec=$3 flag=$4 program=$5
"$mpiexec" "$flag" 1 env OVK_DELAY_US=1000 LD_PRELOAD="$delay" "$program" : \
  "$flag" 1 env OVK_DELAY_US=0 LD_PRELOAD="$delay" "$program" : "$flag" 1 env LD_PRELOAD="$delay" "$program"
for both in "$delay $carry" "$carry $delay"; do
  "$mpiexec" "$flag" 2 env OVK_DELAY_US=1000 LD_PRELOAD="$both" "$program"
done
