#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# `compare --delay-us` and `latency` delay all programs, and say so. Arguments: SOURCE BUILD.
# Whatever is hidden, an iteration waits for one latency at least: 2 ms here, its own work takes a
# hundredth of that.
set -uo pipefail
command -v python3 >/dev/null || { echo "skipped: there is no python3" && exit 77; }
cd "$1" || exit 1
build=$2
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
}

# check FOLDER EXPRESSION: a Python expression of the results `r`.
check() {
  python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(0 if eval(sys.argv[2]) else 1)' \
    "$work/$1/results.json" "$2" || fail "$1: $2"
}

bench/compare --build "$build" --out "$work/compare" --ranks 2 --size 6 --rounds 1 --maxit 10 \
  --problems laplace27 --delay-us 2000 >"$work/out" 2>&1 || fail "compare: $(tail -5 "$work/out")"
check compare "all(row['ms_min'] >= 2 for row in r['cases'][0]['programs'])"
check compare "all(row['emulated_latency_us'] == 2000 for row in r['cases'][0]['programs'])"
check compare "any(row.get('backend') == 'delay:us=2000|shm' for row in r['cases'][0]['programs'])"
grep -q 'emulated latency 2000 us' "$work/compare/table.md" || fail "compare: the title"
grep -q 'emulated latency' "$work/compare/chart.gp" || fail "compare: the chart"

bench/latency --build "$build" --out "$work/latency" --size 6 --rounds 1 --maxit 10 \
  --delays "0 2000 T" >"$work/out" 2>&1 || fail "latency: $(tail -5 "$work/out")"
check latency "[c['emulated_latency_us'] for c in r['cases']] == sorted({0, 2000, r['work_us']})"
check latency "all(row['ms_min'] >= 2 for row in r['cases'][-1]['programs'])"
check latency "len(r['cases'][0]['programs']) >= 3"
grep -q 'emulated latency' "$work/latency/table.md" || fail "latency: the title"
grep -q 'emulated latency' "$work/latency/chart.gp" || fail "latency: the chart"

printf '%d failures\n' "$failures"
[ "$failures" = 0 ]
