#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Wrong settings of libovk_mpi.so end a program, with a message that names them; right ones do not.
# Usage: carry_settings.sh LIBRARY
set -euo pipefail
library=$1

# ends STATUS MESSAGE NAME=VALUE...
ends() {
  local expected=$1 message=$2 said status=0
  shift 2
  said=$(env "$@" LD_PRELOAD="$library" true 2>&1) || status=$?
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
for value in 0 8 67108864 ''; do ends 0 '' "OVK_MPI_MAX_BYTES=$value"; done
for value in auto shm none ''; do ends 0 '' "OVK_MPI_BACKEND=$value"; done
