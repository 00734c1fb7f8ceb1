#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# OVK_LOG belongs to the program: with libovk_mpi.so preloaded the file has what it has without.
# Usage: carry_log.sh LIBRARY PROGRAM_OVK LAUNCHER...
set -euo pipefail
library=$1 ovk=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for preload in '' "$library"; do
  "$@" env LD_PRELOAD="$preload" OVK_LOG="$work/log" "$ovk" solve --laplace27 6 6 6 --method cg \
    --backend blocking >/dev/null # of which no choice depends on times
  lines+=("$(wc -l <"$work/log")")
done
echo "${lines[0]} lines without the library, ${lines[1]} with it"
[ "${lines[0]}" -gt 1 ] && [ "${lines[0]}" = "${lines[1]}" ]
