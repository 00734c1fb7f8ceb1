#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# scripts/cluster: nodes, least times of links, exit status, what is refused, and that nothing is left.
# Usage: test_cluster.sh SCRIPT BUILD_FOLDER MPIEXEC LINK_TIMES
set -euo pipefail
script=$1 link_times=$4
common=(--build "$2" --mpiexec "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir tmp
export TMPDIR=$work/tmp

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  cat out >&2
  exit 1
}

# run STATUS ARGUMENTS...
run() {
  local status=0
  timeout -k 5 300 "$script" "${common[@]}" "${@:2}" >out 2>&1 </dev/null || status=$?
  [ "$status" != 77 ] || { cat out && exit 77; }
  [ "$status" = "$1" ] || fail "exit status $status, not $1: ${*:2}"
}

run 2 --nodes 1 -- true
run 2 --nodes 2x -- true
run 2 --latency-us -1 -- true
run 2 --rate fast -- true
run 2 --nodes 2
run 2 --nodes

run 0 --nodes 2 --ranks-per-node 2 --latency-us 3000 --rate 100M -- "$link_times" 2 3000 100e6
grep -q 'links have their times' out || fail 'no word of the links'

# Nodes share no files in memory.
# shellcheck disable=SC2016 # expanded on the nodes
run 0 --nodes 3 -- bash -c 'touch "/dev/shm/of-$HOSTNAME" && ls /dev/shm/of-*'
[ "$(grep -c of-node out)" = 3 ] || fail 'nodes share /dev/shm'

# Arguments arrive as they are, and so does an exit status.
run 0 --nodes 3 -- printf '%s|' 'two  words' "\$HOME" "it's"
[ "$(grep -o "two  words|\$HOME|it's|" out | wc -l)" = 3 ] || fail 'arguments have changed'
run 3 --nodes 2 -- bash -c 'exit 3'

# The network has a processor for itself.
if [ "$(nproc)" -gt 1 ]; then
  run 0 --apart --nodes 2 -- sed -n 's/^Cpus_allowed_list:/ranks/p' /proc/self/status
  [ "$(grep -c '^ranks' out)" = 2 ] || fail 'no ranks with --apart'
  last=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]//p' /proc/self/status)
  ! grep -qE "[^0-9]$last\$" out || fail 'ranks have the processor of the network'
fi

[ -z "$(ls -A tmp)" ] || fail "files are left: $(ls -A tmp)"

# All processes end with the script, however that ends: they hold this pipe open.
mkfifo held
for signal in TERM KILL; do
  "$script" "${common[@]}" --nodes 2 -- bash -c 'exec 9>held && echo up >&9 && exec sleep 1000' >out 2>&1 &
  exec 8<held
  read -r _ <&8
  kill -"$signal" $!
  wait $! 2>/dev/null || true
  cat <&8 >/dev/null
done
