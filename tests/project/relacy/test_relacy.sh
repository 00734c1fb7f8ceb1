#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Checks a model of tests/project/relacy with Relacy, a checker of C11's memory model (Debian: relacy-dev).
# Usage: test_relacy.sh CXX MODEL; CXX may be empty.
set -euo pipefail
cxx=$1 model=$(cd "$(dirname "$0")" && pwd)/$2.cpp

skip() {
  echo "skipped: $*"
  exit 77
}

[ "$cxx" ] || skip "there is no C++ compiler"

# has_fence FUNCTION: whether the library's function has the fence that the model takes for its.
has_fence() {
  grep -rhA20 --include='*.c' "^[a-z].* $1(.*[^;]\$" "$(dirname "$0")/../../../src" | sed '/^}/q' |
    grep -qF 'atomic_thread_fence(memory_order_seq_cst)'
}
for function in $(sed -n 's|.* \w*fences = true; *\/\* \(\w*\)() \*\/|\1|p' "$model"); do
  has_fence "$function" || { echo "FAILED: $function() has no fence" && exit 1; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include <relacy/relacy.hpp>' >"$folder/look.cpp"
"$cxx" -E "$folder/look.cpp" >"$folder/look" 2>&1 || skip "there is no Relacy (Debian: relacy-dev)"
"$cxx" -std=c++17 -Wall -Wextra -o "$folder/model" "$model"
"$folder/model"
