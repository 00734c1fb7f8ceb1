#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# findings.sh SOURCE: whether each test that tests/findings.md names exists in its file and is run by CTest.
set -euo pipefail
cd "$1"
rows=0 missing=0

# is_run FILE NAME: whether a CMakeLists.txt beside the file, or one folder up, names it, and a file of
# tests defines the function as a test. A document is not run.
is_run() {
  local folder=${1%/*} program=${1##*/}
  program=${program%.*}
  case $1 in docs/*) return ;; */test_*.c) grep -qE -- "^TEST\($2\)|^TEST_WITH\($2," "$1" || return ;; esac
  grep -qswE -- "$program|${program#test_cli_}" "$folder/CMakeLists.txt" "${folder%/*}/CMakeLists.txt"
}

while IFS='|' read -r _ number _ file name _; do
  rows=$((rows + 1)) file=${file// /} name=${name# } name=${name% }
  if ! grep -qF -- "$name" "$file"; then
    echo "finding $number: no $name in $file"
    missing=$((missing + 1))
  elif ! is_run "$file" "$name"; then
    echo "finding $number: CTest does not run $name of $file"
    missing=$((missing + 1))
  fi
done < <(grep -E '^\| [A-D][0-9]+ ' tests/findings.md)
echo "$rows findings, $missing without their test"
[ "$rows" -gt 0 ] && [ "$missing" -eq 0 ]
