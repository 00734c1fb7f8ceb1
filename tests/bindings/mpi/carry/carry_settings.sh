#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Wrong settings of libovk_mpi.so end a program, with a message that names them; right ones do not. Programs of
# another MPI are refused by it and by libovk_delay.so, where one is installed.
# Usage: carry_settings.sh LIBOVK_MPI LIBOVK_DELAY [C_COMPILER_OF_ANOTHER_MPI]
set -euo pipefail
library=$1 delay=$2 other=${3-}

program=true
# ends STATUS MESSAGE NAME=VALUE...
ends() {
  local expected=$1 message=$2 said status=0
  shift 2
  said=$(env "$@" LD_PRELOAD="$library" "$program" 2>&1) || status=$?
  if [ "$status" != "$expected" ] || [[ $said != *"$message"* ]]; then
    echo "$*: status $status, not $expected; '$said', not '$message'"
    exit 1
  fi
}

for value in shn none, SHM ' '; do
  ends 2 "OVK_MPI_BACKEND needs auto, shm or none, not '$value'" "OVK_MPI_BACKEND=$value"
done
for value in -1 x 8k 67108865 99999999999999999999 +8 ' 8'; do
  ends 2 "OVK_MPI_MAX_BYTES needs a whole number" "OVK_MPI_MAX_BYTES=$value"
done
for value in -1 x 9; do
  ends 2 "OVK_MPI_MAX_MESSAGES needs a whole number of messages up to 8" "OVK_MPI_MAX_MESSAGES=$value"
done
for value in 0 8 ''; do ends 0 '' "OVK_MPI_MAX_MESSAGES=$value"; done
for value in 0 8 67108864 ''; do ends 0 '' "OVK_MPI_MAX_BYTES=$value"; done
ends 2 "OVK_MPI_EXACT needs off or sums, not 'all'" OVK_MPI_EXACT=all
for value in off sums ''; do ends 0 '' "OVK_MPI_EXACT=$value"; done
for value in auto shm none ''; do ends 0 '' "OVK_MPI_BACKEND=$value"; done

if [ -z "$other" ]; then
  echo "there is no other MPI: none was refused"
  exit 0
fi
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
program=$stage/finalized
printf '#include <mpi.h>\nint main(void) { int no; return MPI_Finalized(&no); }\n' >"$program.c"
"$other" "$program.c" -o "$program"
ends 2 "libovk_mpi: made for" OVK_MPI_BACKEND=auto
library=$delay
ends 2 "libovk_delay: made for" OVK_DELAY_US=1
