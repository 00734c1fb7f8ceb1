#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# findings.sh SOURCE: whether each test that tests/findings.md names exists in its file.
set -euo pipefail
cd "$1"
rows=0 missing=0
while IFS='|' read -r _ number _ file name _; do
  rows=$((rows + 1)) file=${file// /} name=${name# } name=${name% }
  if ! grep -qF -- "$name" "$file"; then
    echo "finding $number: no $name in $file"
    missing=$((missing + 1))
  fi
done < <(grep -E '^\| [A-D][0-9]+ ' tests/findings.md)
echo "$rows findings, $missing without their test"
[ "$rows" -gt 0 ] && [ "$missing" -eq 0 ]
