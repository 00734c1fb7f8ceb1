#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk: bench reduction, small. Measured values are not checked, only that there are results
# in the documented form. Arguments: OVK RANKS LAUNCHER....
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

brief=(--iters 5 --rounds 1)

run 0 bench reduction "${brief[@]}"
has out mpi:allreduce mpi:iallreduce 'auto: shm' blocking iallreduce nbc latency overhead peer

# Semicolons between specs.
run 0 bench reduction "${brief[@]}" --count 3 --specs 'nbc:progress=thread,alg=flat;shm' --json -
has out '"nbc:progress=thread,alg=flat"' '"shm"'

# Commas between specs and inside them.
run 0 bench reduction "${brief[@]}" --count 3 --specs nbc:alg=tree,reduce=3,bcast=2,shm --json -
is_json out
[[ $(grep -c '"spec":' out) == 4 ]] || fail 'not four rows'
has out '"spec": "nbc:alg=tree,reduce=3,bcast=2"' '"spec": "shm"' '"count": 3' \
  "\"ranks\": $ranks"
for key in latency begin wait overhead peer_delay_wait peer_asleep_wait; do
  [[ $(grep -cE "\"${key}(_min)?_us\": " out) == 8 ]] || fail "not four $key and minima"
done
for key in overlap_osu_pct overlap_imb_pct; do
  [[ $(grep -c "\"$key\": " out) == 4 ]] || fail "not four $key"
done

# What auto chose, and a spec that needs more of the MPI.
run 0 bench reduction "${brief[@]}" --specs auto,nbc:alg=flat,progress=thread --json -
is_json out
has out '"spec": "auto"' '"backend": "shm"' '"spec": "nbc:alg=flat,progress=thread"'
run 0 bench reduction "${brief[@]}" --json rows.json
is_json rows.json
has out 'latency'

# The MPI's calls with and without libovk_mpi.so, here without.
run 0 bench reduction "${brief[@]}" --mpi --json rows.json
is_json rows.json
has out 'MAXLOC'
[[ $(grep -c '"allreduce_ratio":' rows.json) == 12 ]] || fail "not 12 rows"
run 0 bench reduction "${brief[@]}" --mpi --calls bcast,allreduce --bytes 8,1024 --json rows.json
is_json rows.json
! grep -q "MAXLOC\|reduce_ratio.*reduce_ratio" out || fail "rows with MAXLOC"
[[ $(grep -c '"bcast_ratio":' rows.json) == 2 ]] || fail "not 2 rows"
run 0 bench reduction "${brief[@]}" --mpi --calls barrier,ibarrier,allgather,alltoall --bytes 16 --json rows.json
is_json rows.json
has out 'quartiles'
for call in barrier ibarrier allgather alltoall; do
  grep -q "\"${call}_ratio_lower\":" rows.json && grep -q "\"${call}_ratio_upper\":" rows.json || fail "no $call"
done

alone run 0 bench --help
has out 'reduction '
run 0 help bench reduction
alone run 0 bench reduction --help
has out 'OSU 1 - (o - c) / t' 'NBCBench'
run 2 bench
has err 'usage: ovk bench BENCHMARK' reduction overlap-dgemm poisson1d model
refuses "did you mean 'reduction'" bench reductions
alone refuses "did you mean 'shm'" bench reduction --specs shn
refuses "shm:k=2: " bench reduction --specs auto,shm:k=2
alone refuses 'a name is missing' bench reduction --specs 'shm,'
alone refuses "is '0', but must be a whole number" bench reduction --count 0
alone refuses '--specs does not go with --mpi' bench reduction --mpi --specs shm
alone refuses '--count does not go with --mpi' bench reduction --mpi --count 3
alone refuses '--bytes needs --mpi' bench reduction --bytes 8
alone refuses '--calls needs --mpi' bench reduction --calls bcast
alone refuses "there is no call 'scan'" bench reduction --mpi --calls scan
alone refuses '12 is no multiple of 8' bench reduction --mpi --bytes 8,12
alone refuses "is 'x', but must be a whole number" bench reduction --iters x

finish
