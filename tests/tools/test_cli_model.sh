#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk: bench model, small. That the simulation is right is tested elsewhere; here that
# tables are whole, parts add up, and wrong usage is refused. Arguments: OVK RANKS LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

model=(bench model --iterations 3 --laplace27 10 10 10)
show=${BASH_SOURCE[0]%/*}/report/show_experiment.py

# shown EXPERIMENT FILE: `ovk report` shows the experiment if its runs have written this file.
shown() {
  command -v python3 >/dev/null || return 0
  python3 "$show" "$1" "$2" >checked 2>&1 || fail "ovk report does not show $1: $(cat checked)"
}

# adds_up FILE: in each row of `iterations` the parts are the whole, and no time is negative.
adds_up() {
  command -v python3 >/dev/null || return 0
  python3 - "$1" <<'END' || fail "parts do not add up in $1"
import json, sys
rows = json.load(open(sys.argv[1]))["iterations"]
assert rows
for row in rows:
    parts = [row[key] for key in ("compute_us", "sums_us", "sum_wait_us", "halo_us")]
    assert min(parts) >= 0 and row["compute_us"] > 0 and row["messages"] > 0, row
    assert abs(sum(parts) - row["iteration_us"]) <= 1e-6 * row["iteration_us"], row
    assert row["times_best"] >= 1 and row["speedup"] > 0, row
    if row["method"] == "cg":
        assert row["speedup"] == 1, row
for ranks in {row["ranks"] for row in rows}:
    assert min(row["times_best"] for row in rows if row["ranks"] == ranks) == 1, ranks
END
}

# Two numbers of ranks, two methods beside cg, four backends.
run 0 "${model[@]}" --ranks 8,64 --methods overlap,pipelcg:l=2 \
  --backends 'blocking,nbc:alg=tree,reduce=2,offload|nbc,emulate-latency:us=50|nbc' --json -
is_json out
cp out model.json
adds_up model.json
for key in compute_us sums_us sum_wait_us halo_us messages times_best; do
  [[ $(grep -c "\"$key\": " out) == 24 ]] || fail "not 24 times $key"
done
has out '"parameters": [' '"iterations": [' '"fastest": [' '"origin": "simulated"' '"ranks": 64' \
  '"backend": "nbc:alg=tree,reduce=2"' '"backend": "offload|nbc"' '"method": "pipelcg:l=2"' \
  '"lead_pct"' '"parameter": "node.L"'
[[ $(value out origin | sort | uniq -c | awk '{ print $1, $2 }') == '26 simulated' ]] || fail 'not 26 rows'

# The same numbers again, also from other numbers of ranks that simulate.
run 0 "${model[@]}" --ranks 8,64 --methods overlap,pipelcg:l=2 \
  --backends 'blocking,nbc:alg=tree,reduce=2,offload|nbc,emulate-latency:us=50|nbc' --json again.json
cmp -s again.json model.json || fail 'other numbers in a second run'
last='(alone)'
"$ovk" "${model[@]}" --ranks 8,64 --methods overlap,pipelcg:l=2 \
  --backends 'blocking,nbc:alg=tree,reduce=2,offload|nbc,emulate-latency:us=50|nbc' --json alone.json >out 2>err ||
  fail 'no run alone'
cmp -s alone.json model.json || fail 'other numbers with one rank'
has out 'speedup' 'sum wait' 'x best' 'lead %' 'us an iteration: the fastest' 'ranks-per-node'

# Parameters count: without latency nothing is waited for, and noise makes all slower.
quiet=L=0,o=0,O=0,g=0,G=0,node.L=0,node.o=0,node.O=0,node.g=0,node.G=0,combine=0
run 0 "${model[@]}" --ranks 8 --methods cg --backends nbc --set $quiet --json free.json
awk -v w="$(value free.json sum_wait_us)" 'BEGIN { exit !(w != "" && w < 1e-6) }' || fail 'waiting for nothing'
run 0 "${model[@]}" --ranks 8 --methods cg --backends nbc --set $quiet,exponential=0.5,seed=7 \
  --json noisy.json
awk -v a="$(value free.json iteration_us)" -v b="$(value noisy.json iteration_us)" \
  'BEGIN { exit !(a > 0 && b > 1.2 * a) }' || fail 'noise costs nothing'

# More polls take more time of the processor.
for every in 64 4096; do
  run 0 "${model[@]}" --ranks 8 --methods overlap --backends nbc --set L=100,poll-rows=$every --json poll$every.json
done
awk -v a="$(value poll64.json sums_us)" -v b="$(value poll4096.json sums_us)" \
  'BEGIN { exit !(b > 0 && a > b) }' || fail 'polls cost nothing'

# All methods there are.
run 0 "${model[@]}" --ranks 5 --backends nbc --machine connectx2 --json all.json
adds_up all.json
[[ $(value all.json method | sort -u | wc -l) -ge 8 ]] || fail 'methods are missing'

# Measured parameters, and a comparison with solves.
run 0 "${model[@]}" --measure --ranks 8 --methods overlap --set spike=3 --json measured.json
adds_up measured.json
has out 'and this one'
check=(bench model --check --rounds 1 --sizes 16 --us 0,100 --methods cg,pipecg)
run 0 "${check[@]}" --json -
rows out 4 origin size method us measured_us model_us ratio
has out '"backend": "emulate-latency:us=100|shm"'
run 0 "${check[@]}"
has out 'rows outside 15 %; worst: '
run 0 bench model --check --rounds 1 --sizes 16 --backends nbc,shm --methods cg --json -
rows out 2 origin size method measured_us model_us ratio
has out '"backend": "nbc"' '"origin": "measured"'
run 3 bench model --check --rounds 1 --sizes 4 --us 0 --methods cg
has err 'the box is too small'

# Figure 10.
run 0 bench model --figure10 --iterations 1 --json figure10.json
is_json figure10.json
[[ $(grep -c '"over_algorithm2_pct": ' figure10.json) == 16 ]] || fail 'not 16 rows'
[[ $(value figure10.json paper_over_algorithm1_pct | grep -vc null) == 6 ]] || fail 'not six of the paper'
shown model-figure10 figure10.json

# Cycles: the same work with any threshold, and fewer messages with a high one.
run 0 "${model[@]}" --cycle --ranks 8,27 --gather '0,1000' --json -
rows out 12 origin nx ranks gather method backend iteration_us cycle_us sum_wait_us cycle_messages times_best
run 0 "${model[@]}" --cycle --ranks 27 --gather 0 --methods cg --json spread.json
run 0 "${model[@]}" --cycle --ranks 27 --gather 1000 --methods cg --json gathered.json
awk -v a="$(value spread.json cycle_messages)" -v b="$(value gathered.json cycle_messages)" \
  'BEGIN { exit !(b > 0 && b < a) }' || fail 'gathering saves no messages'

# Help says what is simulated.
run 0 bench model --help
has out LogGOPS --cycle 'sum wait' connectx2 fitted --check

# Refused, before anything is written.
refuses "did you mean 'pipelined'" "${model[@]}" --methods pipelnied --json no.json
refuses "did you mean 'nbc'" "${model[@]}" --backends nbd
refuses "did you mean 'levels'" "${model[@]}" --backends nbc:level=2
refuses "did you mean 'connectx2'" "${model[@]}" --machine conectx2
refuses "did you mean 'node.L'" "${model[@]}" --set node.l=3
refuses "is 'x', but must be a number" "${model[@]}" --set L=x
refuses "is '-1', but must be a number" "${model[@]}" --set o=-1
refuses "is 'nan', but must be a number" "${model[@]}" --set G=nan
refuses "is '1.5', but must be a whole number" "${model[@]}" --set ranks-per-node=1.5
refuses "has 'L', but must be a list of KEY=VALUE" "${model[@]}" --set L
refuses "is '0', but must be a whole number" "${model[@]}" --ranks 8,0
refuses "is '0', but must be a whole number" bench model --iterations 0
refuses '--rounds is for --check' "${model[@]}" --rounds 3
refuses '--ranks does not go with --scale' "${model[@]}" --ranks 8 --scale
refuses '--backends does not go with --us' bench model --check --backends nbc --us 100
refuses '--gather is for --cycle' "${model[@]}" --gather 100
refuses '--cycle does not go with --scale' bench model --scale --cycle
refuses 'needs factors' "${model[@]}" --cycle --ranks 8 --methods overlap
refuses '--figure10 does not go with --check' bench model --figure10 --check
refuses "cannot write" "${model[@]}" --ranks 8 --methods overlap --json nowhere/rows.json
[[ ! -e no.json ]] || fail 'a file for what was refused'

# Reductions by length.
run 0 bench model --doubles 1,4000 --ranks 8,24 --backends 'nbc;nbc:levels=4,channel=p2p,fragment=8000' --json -
rows out 8 latency_us messages times_first bytes
[[ $(value out times_first | head -1) == 1 ]] || fail 'the first backend is not the first'
refuses '--doubles does not go with --cycle' bench model --doubles 1 --cycle
run 0 bench model --doubles 1,4000 --to-root --ranks 8 --backends 'nbc;nbc:levels=4,channel=p2p,fragment=8000'
has out 'us of a reduction to one rank'
refuses '--to-root is for --doubles' bench model --to-root
refuses 'sums in pieces' bench model --laplace27 4 4 4 --ranks 8 --backends nbc:fragment=64

finish
