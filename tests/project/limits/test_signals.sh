#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Ranks that are stopped for a while, at any point of a solve, do not affect the result; after a rank is
# killed no process and no shared memory remain.
# Usage: test_signals.sh PROGRAM RANKS LAUNCHER...; the program is signals.c.
set -uo pipefail
export OMPI_MCA_odls_base_sigkill_timeout=0 # or Open MPI waits so many seconds before it kills the others

# A place for shared memory of its own, where that is allowed, shows all that is left there.
if [ -z "${OVK_TEST_ALONE-}" ] && unshare -m true 2>/dev/null; then
  OVK_TEST_ALONE=yes exec unshare -m "$BASH" "$0" "$@"
fi
left="*ovk*" # names of what must not be there
[ "${OVK_TEST_ALONE-}" ] && mount -t tmpfs -o size=512m ovk_test /dev/shm && left="*"

program=$1
ranks=$2
launch=("${@:3}")
failures=0
work=$(mktemp -d)
job=
trap 'rm -rf "$work"; [ "$job" ] && kill "$job" 2>/dev/null' EXIT
RANDOM=14 # the same ranks and times in each run
seconds_to_start=200 seconds_to_end=300

fail() {
  printf 'FAILED: %s\n' "$*"
  cat "$work/output"
  failures=$((failures + 1))
}

# start BACKEND: runs the program until it has made its first solves.
start() {
  local rank tenths
  rm -f "$work"/*
  OVK_TEST_BACKEND=$1 OVK_TEST_FOLDER=$work timeout "$seconds_to_end" "${launch[@]}" "$program" \
    >"$work/output" 2>&1 </dev/null &
  job=$!
  pids=()
  for ((rank = 0; rank < ranks; rank++)); do
    for ((tenths = 0; tenths < 10 * seconds_to_start; tenths++)); do
      [ -e "$work/pid.$rank" ] && break
      sleep 0.1
    done
    pids[rank]=$(cat "$work/pid.$rank" 2>/dev/null) || { fail "$1: rank $rank does not start" && return 1; }
  done
}

# stop_ranks BACKEND: random ranks, one after the other and two at a time.
stop_ranks() {
  local turn one other status=0
  start "$1" || return
  for ((turn = 0; turn < 4; turn++)); do
    one=${pids[RANDOM % ranks]}
    other=${pids[RANDOM % ranks]}
    kill -STOP "$one"
    ((turn % 2)) && kill -STOP "$other"
    sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
    kill -CONT "$one" "$other"
    sleep "0.0$((RANDOM % 10))"
  done
  touch "$work/stop"
  wait "$job" || status=$?
  [ "$status" = 0 ] || fail "$1: exit status $status after ranks were stopped"
}

# has_ended PID: in a while; a launcher may be gone before the last rank.
has_ended() {
  local tenths
  for ((tenths = 0; tenths < 1000; tenths++)); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

# kill_rank BACKEND RANK
kill_rank() {
  local pid status=0
  start "$1" || return
  kill -KILL "${pids[$2]}"
  wait "$job" || status=$?
  [ "$status" != 0 ] || fail "$1: exit status 0 after rank $2 was killed"
  [ "$status" != 124 ] || fail "$1: the job goes on after rank $2 was killed"
  for pid in "${pids[@]}"; do
    has_ended "$pid" || fail "$1: process $pid goes on after rank $2 was killed"
  done
  find /dev/shm -mindepth 1 -name "$left" | grep . && fail "$1: left in /dev/shm after rank $2 was killed"
}

for backend in shm nbc nbc:channel=shm iallreduce verbs:device=emulated verbs:device=emulated,mode=atomic; do
  stop_ranks "$backend"
done
kill_rank shm 0
kill_rank nbc:channel=shm $((ranks - 1))
kill_rank verbs:device=emulated $((ranks - 1))
printf '%d failures on %d ranks\n' "$failures" "$ranks"
exit $((failures > 0))
