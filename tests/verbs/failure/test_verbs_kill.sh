#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Ranks that die by SIGKILL while others sum up with them: each survivor gets OVK_ERR_NETWORK in time.
# Usage: test_verbs_kill.sh PROGRAM RANKS LAUNCHER...; the program is verbs_kill.c.
set -uo pipefail
program=$1
ranks=$2
launch=("${@:3}")
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Launchers end a job in which a process has died, unless an option prevents it. MPICH's Hydra does so even
# with -disable-auto-cleanup, a second later.
case $("${launch[0]}" --version 2>&1) in
*"Open MPI"* | *OpenRTE*) keep=--enable-recovery ;;
*) echo "skipped: this launcher does not let survivors live" && exit 77 ;;
esac

# Where the NIC is missing, the program says so in its verdicts.
is_missing() { grep -qs 'no RDMA device' "$work"/rank.*; }

# die VICTIM KEYS [VICTIM]: runs the program; all but the victim must have a good verdict.
die() {
  local rank
  rm -f "$work"/*
  timeout 300 "${launch[0]}" "$keep" "${launch[@]:1}" "$program" "$2,timeout_ms=2000" "$work" "${@:3}" \
    >"$work/output" 2>&1 </dev/null
  if is_missing; then echo "skipped: no RDMA device" && exit 77; fi
  for ((rank = 0; rank < ranks; rank++)); do
    if ((rank == $1)); then
      [ ! -e "$work/rank.$rank" ] && continue
      echo "FAILED: rank $rank should have died; $2"
    else
      grep -q ^good "$work/rank.$rank" 2>/dev/null && continue
      echo "FAILED: rank $rank; $2"
    fi
    failures=$((failures + 1))
    cat "$work"/rank.* "$work/output"
  done
}

last=$((ranks - 1))
at=$((10 * last + 1)) # of a flat sum: the first of its works
die "$last" "alg=flat,fault=kill,fault_rank=$last,fault_at=$at"
die 0 "alg=flat,fault=kill,fault_rank=0,fault_at=$((at + last - 1))"
die 0 "mode=atomic,fault=kill,fault_rank=0,fault_at=33"
die "$last" "alg=doubling" "$last"
# These send nothing over a network: one adapter proves as much as another.
if [ "${OVK_TEST_DEVICE-}" = emulated ]; then
  die "$last" "alg=doubling,levels=node" "$last"
  die 0 "mode=atomic,levels=node" 0
fi
exit $((failures > 0))
