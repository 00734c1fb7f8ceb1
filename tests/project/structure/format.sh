#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Checks that every C file, and every model in C++, is laid out as .clang-format says. Usage: format.sh
# SOURCE_TREE.
# Other versions of clang-format break lines differently: without version 14 the check is skipped.
set -euo pipefail
cd "${1:?the source tree}"

formatter=$(command -v clang-format-14 || command -v clang-format || true)
[ -n "$formatter" ] || { echo "skipped: there is no clang-format"; exit 77; }
version=$("$formatter" --version)
case $version in
*"version 14."*) ;;
*)
  echo "skipped: version 14 is needed, this is $version"
  exit 77
  ;;
esac

folders=()
for folder in include src bindings papers tools examples bench tests; do
  if [ -d "$folder" ]; then folders+=("$folder"); fi
done
find "${folders[@]}" \( -name '*.[ch]' -o -name '*.inc' -o -name '*.cpp' \) -print0 | xargs -0 "$formatter" --dry-run --Werror
