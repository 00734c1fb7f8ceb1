#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The model against SimGrid's SMPI, which simulates the very messages in an MPI program of its own:
# iterations without work of a method that sums with given schedules, on 64 to 512 ranks. Both must
# agree within 5 %. Arguments: OVK DUMP REPLAY SMPIRUN [RANKS...]. OVK_TEST_SMPI_ROWS in the environment is a
# file for the figures, as JSON.
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/../tools/cli_lib.sh" "$1" 1
dump=$2
replay=$3
smpirun=$4
counts=("${@:5}")
((${#counts[@]})) || counts=(64 128 256 512)

# One network for both: microseconds, nanoseconds a byte.
L=2 G=0.4 o=0.4

# A message of any length takes o of processor time.
model_config() {
  local set=ranks-per-node=1,begin=0,poll=0,combine=0,entry=0,boundary=0,stream=0,dot=0,precond=0 name
  for name in L=$L o=$o O=0 g=0 G=$G; do set+=",$name,node.$name"; done
  echo "$set"
}
smpi_config() {
  printf -- '--cfg=%s\n' smpi/simulate-computation:no smpi/test:1e-7 smpi/iprobe:1e-7 smpi/wtime:0 \
    smpi/grow-injected-times:no smpi/lat-factor:0:1 smpi/bw-factor:0:1 \
    smpi/barrier:ompi_recursivedoubling smpi/async-small-thresh:1000000 \
    smpi/send-is-detached-thresh:1000000 network/crosstraffic:0 network/weight-S:0 \
    network/TCP-gamma:0 "smpi/os:0:${o}e-6:0" "smpi/ois:0:${o}e-6:0" "smpi/or:0:${o}e-6:0"
}

# platform RANKS: a host a rank, with half of the latency on its way in and out each.
platform() {
  local half
  half=$(awk -v L="$L" 'BEGIN { print L / 2 }')
  printf '%s\n' "<?xml version='1.0'?>" \
    '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">' '<platform version="4.1">' \
    "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-$(($1 - 1))\" speed=\"1Gf\"" \
    "  bw=\"$(awk -v G="$G" 'BEGIN { printf "%.0f", 1e9 / G }')Bps\" lat=\"${half}us\"/>" \
    '</platform>' >platform.xml
  seq -f 'h%g' 0 $(($1 - 1)) >hosts
}

# compare RANKS SPEC N: N^3 points a rank.
compare() {
  local ranks=$1 spec=$2 n=$3 ours messages sums theirs config
  mapfile -t config < <(smpi_config)
  run 0 bench model --methods cg --backends "$spec" --ranks "$ranks" \
    --laplace27 "$n" "$n" "$n" --set "$(model_config)" --iterations 20 --json model.json
  ours=$(value model.json iteration_us | head -1)
  messages=$(value model.json messages | head -1)
  timeout 300 "$dump" "$spec" "$ranks" 1 >schedules || fail 'no schedules'
  sums=$(awk -v all="$messages" -v ranks="$ranks" \
    '$3 == "send" { n++ } END { printf "%d", all * ranks / n + 0.5 }' schedules)
  theirs=$(timeout 250 "$smpirun" -np "$ranks" -platform platform.xml -hostfile hosts \
    "${config[@]}" --log=root.thres:critical "$replay" \
    "$PWD/schedules" "$sums" 6 "$n" "$n" "$n" 2>err | sed -n 's/^us //p')
  printf '%4d ranks  %-16s %3d^3  %d sums  model %9.3f us  SMPI %9.3f us' \
    "$ranks" "$spec" "$n" "$sums" "${ours:-0}" "${theirs:-0}"
  awk -v a="${ours:-0}" -v b="${theirs:-0}" \
    'BEGIN { if (b <= 0) exit 1; off = a / b - 1; printf "  %+.2f %%\n", 100 * off; exit !(off < 0.05 && off > -0.05) }' ||
    fail "not within 5 %"
  rows+=("{\"ranks\": $ranks, \"sums\": \"$spec\", \"size\": $n, \"model_us\": ${ours:-0}, \"smpi_us\": ${theirs:-0}}")
}

rows=()
for ranks in "${counts[@]}"; do
  platform "$ranks"
  compare "$ranks" nbc 1
  compare "$ranks" nbc 60
  compare "$ranks" nbc:alg=kary,k=4 1
  compare "$ranks" nbc:alg=tree 1
done
if [[ ${OVK_TEST_SMPI_ROWS-} ]]; then
  (
    IFS=,
    echo "[${rows[*]}]" >"$OVK_TEST_SMPI_ROWS"
  )
fi
finish
