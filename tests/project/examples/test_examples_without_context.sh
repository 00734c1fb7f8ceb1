#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Each example that gets no context prints one message and ends with status 1, on all ranks; none crashes.
# Usage: test_examples_without_context.sh PRELOADED FOLDER EXAMPLES... -- LAUNCHER...
set -uo pipefail
preloaded=$1 folder=$2
shift 2
examples=()
while [ "$1" != -- ]; do examples+=("$1") && shift; done
shift
export OMPI_MCA_odls_base_sigkill_timeout=0 # seconds to wait for ranks after one that failed
failures=0
for example in "${examples[@]}"; do
  said=$(timeout 300 "$@" env LD_PRELOAD="$preloaded" "$folder/$example" 2>&1 >/dev/null)
  status=$?
  if [ $status != 1 ] || [ "$(grep -c '^out of memory: $' <<<"$said")" != 1 ]; then
    failures=$((failures + 1))
    printf 'FAILED: %s: status %d\n%s\n' "$example" $status "$said"
  fi
done
[ $failures = 0 ]
