#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs a program with libovk_mpi.so preloaded by the ranks only, and checks in its log that it carried
# all-reduces, and handed nothing back for want of a set-up; with OVK_TEST_ALL=1 among the variables,
# that it handed none back. Where CARRY_LOG is set, rank 0's log must have that pattern in place of calls that
# do not block.
# Usage: carry.sh LIBRARY VARIABLES LAUNCHER... -- PROGRAM...
set -euo pipefail
library=$1 variables=$2
shift 2
launch=()
while [ "$1" != -- ]; do launch+=("$1") && shift; done
shift
for file in ${library//:/ }; do # without one, the loader only warns, and some programs pass
  [ -f "$file" ] || { echo "$file is missing" >&2 && exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -f # a pattern among the variables is no file's name
# shellcheck disable=SC2086 # several variables are several words
"${launch[@]}" env LD_PRELOAD="$library" OVK_MPI_LOG="$work/log" $variables "$@"
set +f
cat "$work"/log.0
grep -q "${CARRY_LOG:-^0,MPI_Iallreduce,carried,}" "$work/log.0"
grep -q '^0,MPI_Allreduce,carried,' "$work/log.0"
if grep -q 'could not be set up' "$work"/log.*; then exit 1; fi
case $variables in
*OVK_TEST_ALL=1*) [ "$(grep -c 'MPI_I*[Aa]llreduce' "$work/log.0")" = 2 ] ;;
esac
