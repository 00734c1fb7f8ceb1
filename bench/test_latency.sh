#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# `compare --delay-us` and `latency` delay all programs and report it. Arguments: SOURCE BUILD WHAT, of
# compare, sweep (one method, several latencies) and methods (all methods, one latency).
# An iteration takes at least one latency even if sums are hidden; its own work takes a hundredth of
# the 2 ms used here.
set -uo pipefail
command -v python3 >/dev/null || { echo "skipped: there is no python3" && exit 77; }
cd "$1" || exit 1
build=$2 what=$3
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
}

# run PROGRAM ARGUMENTS...: compare or latency, with small problems.
run() {
  "bench/$1" --build "$build" --out "$work" --ranks 2 --size 6 --rounds 1 --maxit 10 "${@:2}" \
    >"$work/out" 2>&1 || fail "$1: $(tail -5 "$work/out")"
  grep -q 'emulated network latency' "$work/table.md" || fail "$1: the title"
  grep -q 'emulated network latency' "$work/chart.gp" || fail "$1: the chart"
}

# check EXPRESSION: a Python expression of the results `r`, their `cases`, and the last one's `rows`.
check() {
  python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
cases = r["cases"]
rows = cases[-1]["programs"]
sys.exit(0 if eval(sys.argv[2]) else 1)' "$work/results.json" "$1" || fail "$what: $1"
}

case $what in
compare)
  programs=ovk/overlap
  if [ -x "$build/bin/petsc_ksp" ]; then programs+=" petsc/pipecg"; fi
  if [ -x "$build/bin/hypre_pcg" ]; then programs+=" hypre"; fi
  run compare --problems laplace27 --delay-us 2000 --programs "$programs"
  check "all(row['emulated_network_latency_us'] == 2000 for row in rows)"
  check "[row['spec'] for row in rows] == '$programs'.split()"
  check "rows[0]['backend'] == 'emulate-latency:us=2000|shm'"
  grep -q 'emulated network latency 2000 us' "$work/table.md" || fail "compare: the title's number"
  ;;
sweep)
  run latency --delays "0 T" --programs ovk/overlap
  check "[c['emulated_network_latency_us'] for c in cases] == [0, r['work_us']]"
  ;;
methods)
  run latency --delays 2000
  check "{'ovk/cg', 'ovk/overlap'} <= {row['spec'] for row in rows}"
  ;;
esac
check "rows and all(1e3 * row['ms_min'] >= row['emulated_network_latency_us'] for row in rows)"

printf '%d failures\n' "$failures"
[ "$failures" = 0 ]
