#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Checks the documents: each column of a table has a head. Usage: docs.sh SOURCE_TREE, or docs.sh --self-test.
set -euo pipefail

# Prints "file:line: fault" for every fault in these files.
list_faults() {
  awk '
    FNR == 1 { before = "" }
    /^\|[-:| ]*-[-:| ]*\|$/ && before ~ /^\|/ {
      head = before
      gsub(/\\\|/, "", head)
      if (head ~ /\| *\|/) print FILENAME ":" FNR - 1 ": a column of this table has no head"
    }
    { before = $0 }' "$@"
}

self_test() {
  local file=$1/a.md
  printf '%s\n' '| a | b \| c |' '|---|---|' '| | |' '' 'no table | |' '' >"$file"
  [ -z "$(list_faults "$file")" ] || return 1
  printf '%s\n' '| a | |' '|---|---|' '|  | b |' '| --- | :-: |' '| a | b |' '|---|---|' >>"$file"
  [ "$(list_faults "$file" | grep -c 'a.md:\(7\|9\): ')" -eq 2 ]
}

case ${1:?a source tree, or --self-test} in
--self-test)
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  self_test "$folder"
  ;;
*)
  faults=$(list_faults "$1"/*.md "$1"/docs/*.md)
  [ -z "$faults" ] || { printf '%s\n' "$faults" >&2; exit 1; }
  ;;
esac
