#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk: bench overlap, overlap-dgemm, phases and noise, small. Measured values are not
# checked, only that there are results in the documented form, and that nothing is left behind. Arguments: OVK RANKS
# LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

# Overlap: two polls with each of three sums, and with the MPI's own two and nbc's all-to-all.
overlap=(bench overlap --iters 2 --rounds 1)
run 0 "${overlap[@]}" --polls 2,10 --specs shm,nbc:alg=tree,reduce=2,auto --json -
rows out 10 ranks count at_once polls latency_us single_least_us single_mean_us single_most_us init_us test_us \
  wait_us total_us \
  own_us overlap_hidden_pct overlap_busy_pct overlap_offloaded_pct fastest_us
has out '"operation": "allreduce"'  '"spec": "nbc:alg=tree,reduce=2"' '"spec": "mpi:iallreduce"' '"polls": 10'
run 0 "${overlap[@]}" --polls 2 --operations bcast --specs nbc --barrier nbc:ways=2 --json -
rows out 3 latency_us overlap_hidden_pct
refuses "did you mean 'ways'" "${overlap[@]}" --barrier nbc:way=2
run 0 "${overlap[@]}" --polls 3 --operations alltoall --count 100 --at-once 3 --specs nbc,nbc:window=1 --json rows.json
rows rows.json 4 spec
has rows.json '"operation": "alltoall"' '"spec": "mpi:ialltoall"' '"at_once": 3' '"count": 100'
# All operations, each beside the MPI's own two, of two lengths; a barrier has none.
run 0 "${overlap[@]}" --polls 3 --operations all --count 1,9 --specs nbc --in-a-row --json all.json
rows all.json 81 spec
has all.json '"operation": "reduce_scatter"' '"spec": "mpi:ireduce_scatter"' '"barrier": "none"' \
  '"operation": "alltoallv"' '"spec": "mpi:igatherv"' '"spec": "mpi:allgatherv"' '"operation": "scatterv"'
[[ $(grep -c '"operation": "barrier"' all.json) == 3 ]] || fail 'not three barriers'
has out mpi:alltoall latency 'hidden %' 'busy %' "ranks: $ranks"

# Products of matrices while a sum runs.
run 0 bench overlap-dgemm --iters 2 --rounds 1 --sizes 1,40 --specs shm --json -
rows out 6 spec n alone_gflops with_gflops share_pct begin_us wait_us overhead_us
[[ $(value out of_peak_pct | sort -u) == null ]] || fail 'a share of an unknown peak'
run 0 bench overlap-dgemm --iters 2 --rounds 1 --sizes 40 --specs shm --peak 1e-3 --json -
[[ $(value out of_peak_pct | grep -vc null) == 3 ]] || fail 'no share of the peak'

# Phases: all methods, and the three algorithms and the paper's baseline by operation.
run 0 bench phases --laplace27 4 4 4 --rounds 1 --backends shm,blocking --json -
is_json out
for key in product sdotp gamma iprod inner precond axpy scaling sum; do
  [[ $(grep -c "\"${key}_us\": " out) == 8 ]] || fail "not eight $key"
done
has out '"operations": [' '"breakup": [' '"method": "pipelcg"' '"method": "cg/DiagScale"' '"backend": "blocking"' '"precond": "jacobi"'
run 0 bench phases --laplace27 4 4 4 --rounds 1 --methods overlap --backends auto --precond ic
for word in 'operations' ', ic;' 'scaling' 'break-up' 'waitall %' 'compute %'; do has out "$word"; done
! grep -q DiagScale out || fail 'DiagScale is no ic'
[[ $(grep -c '^overlap ' out) == 2 ]] || fail 'not overlap as printed and as a method'
run 0 bench phases --laplace7 4 4 4 --format csr --rounds 1 --methods overlap --backends auto
has out 'laplace7 4x4x4'
alone refuses '--peclet is for --convdiff7' bench noise --laplace27 4 4 4 --peclet 2

# Noise.
noise=(bench noise --laplace27 4 4 4 --rounds 1)
run 0 "${noise[@]}" --seconds 0.02 --durations 50,200 --frequencies 500,1000 --json -
rows out 12 method backend duration_us frequency_hz solves quiet_ms noisy_ms degradation_pct noise_pct
run 0 "${noise[@]}" --seconds 0.02 --methods groppcg --backends shm --frequencies 200 --durations 100 \
  --json "$work/noise.json"
rows noise.json 1 noise_pct
! pgrep -f "$work/noise.json" >/dev/null || fail 'a process is left behind'
has out groppcg '100 us' '200 Hz' 'degradation %'

# Help says what is measured.
for text in 'overlap:SC' 'overlap-dgemm:figure 9' 'phases:figure 11' 'noise:figure 12'; do
  alone run 0 bench "${text%%:*}" --help
  has out "${text#*:}"
  has out 'On one'
done

# Refused, before anything is measured or written.
rm -f rows.json
alone refuses "did you mean 'shm'" "${overlap[@]}" --specs shn --json rows.json
refuses 'nbc:ways=1: ' "${overlap[@]}" --operations alltoall --specs nbc:ways=1
alone refuses "did you mean 'allgather'" "${overlap[@]}" --operations scan,algather --json rows.json
alone refuses "is '-1', but must be a whole number from 0" "${overlap[@]}" --polls 2,-1
run 0 "${overlap[@]}" --polls 0,2 --operations alltoall --count 100 \
  --specs nbc,verbs:device=emulated,agent=thread --json none.json
has none.json '"polls": 0' '"spec": "verbs:device=emulated,agent=thread"' '"spec": "mpi:ialltoall"'
alone refuses "is '', but must be a whole number" "${overlap[@]}" --polls 2,
alone refuses "is '9', but must be a whole number" "${overlap[@]}" --at-once 9
alone refuses 'more than 32' "${overlap[@]}" --polls "1$(printf ',1%.0s' {1..32})"
alone refuses '--specs: the list has 1100 characters, but at most 1023 are allowed' "${overlap[@]}" --specs "$(printf 'x%.0s' {1..1100})"
alone refuses "did you mean 'blocking'" bench overlap-dgemm --specs blokcing
alone refuses "is 'x', but must be a whole number" bench overlap-dgemm --sizes 10,x
alone refuses "did you mean 'pipelined'" bench phases --laplace27 4 4 4 --methods overlap,pipelnied --json rows.json
alone refuses "did you mean 'shm'" bench phases --laplace27 4 4 4 --backends shn
alone refuses '--laplace27 needs 3 values' bench phases --laplace27 4
alone refuses 'leave nothing of a core' "${noise[@]}" --durations 50,1000 --frequencies 20,1000
alone refuses "is '-1', but must be a finite number" "${noise[@]}" --seconds -1
alone refuses "did you mean 'overlap'" "${noise[@]}" --methods split-cg,overlpa --json rows.json
refuses "cannot write" "${noise[@]}" --json nowhere/rows.json
[[ ! -e rows.json ]] || fail 'a file for what was refused'

finish
