# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What the tests of the program ovk share; sourced with the arguments OVK RANKS LAUNCHER...
# Every run has a time limit, and its exit status is what the launcher passes on.
set -uo pipefail

# Open MPI waits as many seconds for ranks that end with an error status, which most here do.
export OMPI_MCA_odls_base_sigkill_timeout=0

ovk=$1
ranks=$2
launch=("${@:3}")
# As ovk_launch() of tests/CMakeLists.txt.
single=(env OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_orte_create_session_dirs=0 OMPI_MCA_sharedfp=individual)
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n  ovk %s\n' "$1" "$last"
  tail -n 40 out | sed 's/^/  stdout: /'
  head -n 10 err | sed 's/^/  stderr: /'
}

# run STATUS ARGUMENTS...: runs ovk and checks its exit status; output goes to the files out, err.
run() {
  local status=0
  last="${*:2}"
  timeout 500 "${launch[@]}" "$ovk" "${@:2}" >out 2>err </dev/null || status=$?
  [[ $status == "$1" ]] || fail "exit status $status, not $1"
}

# alone COMMAND...: with one process and no launcher, in a sixth of the time: for what is the same on any rank.
alone() {
  local launch=("${single[@]}")
  "$@"
}

# has FILE TEXT...: the file contains each of the texts; without a process for each.
has() {
  local text all=
  IFS= read -r -d '' all <"$1"
  for text in "${@:2}"; do [[ $all == *"$text"* ]] || fail "no '$text' in $1"; done
}

# refuses TEXT ARGUMENTS...: bad usage, said once, on standard error alone, with TEXT in it.
refuses() {
  local line messages=0
  run 2 "${@:2}"
  has err "$1"
  while IFS= read -r line; do [[ $line != 'ovk: '* ]] || messages=$((messages + 1)); done <err
  [[ $messages == 1 ]] || fail "not one message"
  [[ ! -s out ]] || fail "standard output is not empty"
}

# value FILE KEY: the number, word or string behind a key of a JSON file.
value() {
  sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1"
}

# is_json FILE: checked only where there is a parser. What is called python3 may be a script that looks for it for longer
# than the check takes.
is_json() {
  command -v python3 >/dev/null || return 0
  if [[ ! ${python-} ]]; then python=$(python3 -c 'import sys; print(sys.executable)'); fi
  "$python" -m json.tool "$1" >/dev/null || fail "$1 is no JSON"
}

# rows FILE N KEY...: the file is JSON and has N rows with each of the keys.
rows() {
  local key
  is_json "$1"
  for key in "${@:3}"; do
    [[ $(grep -c "\"$key\": " "$1") == "$2" ]] || fail "not $2 times $key"
  done
}

# finish: the exit status of the test.
finish() {
  printf '%d failures on %d ranks\n' "$failures" "$ranks"
  [[ $failures == 0 ]]
}
