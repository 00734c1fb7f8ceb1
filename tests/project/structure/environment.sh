#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Each OVK_ variable that a program or a preloaded library reads is among those that src/core/context/env.c knows: others
# are notices of a mistyped name. Usage: environment.sh SOURCE_FOLDER
set -euo pipefail
cd "$1"
failures=0
while read -r name; do
  grep -qE "\b${name#OVK_}\b" src/core/context/env.c src/core/context/ctx_impl.h && continue
  failures=1
  echo "$name is not known to src/core/context/env.c"
done < <(grep -rhoE 'getenv\("OVK_[A-Z_]+"' src bindings papers tools | grep -oE 'OVK_[A-Z_]+' | sort -u)
[ "$failures" = 0 ]
