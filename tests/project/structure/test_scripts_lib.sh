#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# What scripts share: a build that fails says why, and a script that ends leaves no process of its own behind.
# Usage: test_scripts_lib.sh SOURCE_FOLDER
set -euo pipefail
lib=$1/scripts/lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# script TEXT: runs it with the library.
script() { bash -euo pipefail -c ". '$lib'; $1"; }

fail() {
  echo "$*"
  exit 1
}

# ended FILE: whether the process whose number is in the file ends within a minute; one that does not is killed.
ended() {
  local turn
  for ((turn = 0; turn < 600; turn++)); do
    kill -0 "$(cat "$1")" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$(cat "$1")"
  return 1
}

for stage in configure build; do
  status=0
  script "cmake() { [ $stage = build ] && [ \$1 != --build ] || { echo reason; return 3; }; }; build ci" 2>said || status=$?
  [ "$status" = 1 ] || fail "$stage failed, and the script ended with $status"
  for text in '^reason$' 'preset ci failed; .* build/ci.log$'; do
    grep -q "$text" said || fail "$stage failed, and the script said: $(cat said)"
  done
done
script 'cmake() { echo more; }; build ci' >said 2>&1
[ ! -s said ] || fail "a build that did not fail said: $(cat said)"

# A child of a child, which ignores what a terminal sends.
start="background log eval 'true && sh -c \"trap : INT; echo \\\$\\\$ >id; sleep 600; true\"'; until [ -s id ]; do sleep 0.1; done"
script "$start; exit 5" || status=$?
[ "$status" = 5 ] || fail "the script ended with $status"
ended id || fail "a command in the background outlived the failure of the script"
rm id
script "$start; kill -TERM \$\$; sleep 600" || status=$?
[ "$status" = 143 ] || fail "the script ended with $status"
ended id || fail "a command in the background outlived a script that was ended"
rm id
script "background log eval 'sleep 0.1 && exit 4'; wait \$!" || status=$?
[ "$status" = 4 ] || fail "the status of a command in the background was $status"
