#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The documents name every method, backend, preconditioner and format that `ovk list` has, and their keys.
# Usage: test_plugins_documented.sh OVK DOCS
set -euo pipefail

ovk=${1:?the program ovk} docs=${2:?the folder docs}
texts=("$docs"/{reference,preconditioners,hypre,comm/verbs}.md)
list=$("$ovk" list)
# "name NAME" and "key KEY": aliases are names; a name is indented by two blanks; keys are further in, over one line or several.
words=$(awk '
  /^  [a-z]/ { print "name", $1; keys = 0 }
  !/^   / { next }
  sub(/^ +also: /, "") { for (k = 1; k <= NF; k++) print "name", $k; keys = 0; next }
  /^ +columns: / { keys = 0; next }
  sub(/^ +keys: /, "") { keys = 1 }
  keys { gsub(/,/, ""); for (k = 1; k <= NF; k++) print "key", $k }' <<<"$list" | sort -u)
[ "$(wc -l <<<"$words")" -gt 40 ] || { printf 'too few words in\n%s\n' "$list" >&2; exit 1; }

missing=0
while read -r kind word; do
  case $kind in
  name) pattern="\`${word}[\`:|]" ;;                 # `name`, `name:key=value`, `name|SPEC`
  key) pattern="(\`|:|,)${word}(=|\`|[,|]|\\\\)" ;; # `key`, `key=`, name:key=value,key
  esac
  grep -qiE -- "$pattern" "${texts[@]}" && continue
  echo "no $kind '$word' in ${texts[*]##*/}" >&2
  missing=1
done <<<"$words"
exit $missing
