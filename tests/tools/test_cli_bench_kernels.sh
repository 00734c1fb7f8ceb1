#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk: bench poisson, poisson1d, fft and compress, small. They verify their own results;
# measured values are not checked. Arguments: OVK RANKS LAUNCHER....
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

# has_library BENCHMARK: the build has the library that it needs; otherwise the program must report that.
has_library() {
  timeout 500 "${launch[@]}" "$ovk" bench "$1" --rounds 1 "${@:2}" >out 2>err </dev/null && return
  grep -q 'build ovkrylov with' err && refuses 'build ovkrylov with' bench "$1"
  ! grep -q 'build ovkrylov with' err
}

# Poisson: three exchanges up to two residuals, in a box that cannot be dealt out evenly; one residual.
run 0 bench poisson --rounds 1 --size 7 6 9 --polls 3 --json -
rows out 6 exchange ranks size grid rtol solve_ms solve_min_ms speedup iterations
has out '"exchange": "alltoallv"' '"exchange": "nbc"' '"exchange": "p2p"' '"size": "7x6x9"' \
  '"rtol": "0.01"' '"rtol": "1e-08"'
[[ $(value out iterations | sort -u | wc -l) == 2 ]] || fail 'iterations differ'
run 0 bench poisson --rounds 1 --size 5 4 4 --rtol 1e-6 --polls 0 --backend nbc --spec nbc:window=1 \
  --json rows.json
rows rows.json 3 speedup
run 0 bench poisson --rounds 1 --size 5 4 4 --rtol 1e-6 --method pipecg --json rows.json
rows rows.json 3 speedup
has out 'p2p       to 1e-06' '5x4x4 points' iterations "ranks: $ranks"

# Poisson in 1-D: sums by CG and by size, with groups of any ranks.
line=(bench poisson1d --rounds 1 --sums 2)
run 0 "${line[@]}" --size 30 --iterations 14 --specs nbc,nbc:levels=2,channel=shm+p2p,nbc:levels=2x2 \
  --json -
rows out 5 cg_ms iteration_us speedup iterations
rows out 10 us_8 us_128 us_1048576 us_1048576_min
rows out 15 spec ranks
has out '"cg": [' '"allreduce": [' '"reduce": [' '"spec": "blocking"' '"spec": "mpi:ireduce"' \
  '"spec": "nbc:levels=2,channel=shm+p2p"'
run 0 "${line[@]}" --size 20 --iterations 3 --specs shm --json -
[[ $(grep -c '"us_8": null' out) == 1 ]] || fail 'shm reduces to one rank'
run 0 "${line[@]}" --size 100 --iterations 3
has out 'CG in 1-D' 'latency of reduce' 'nbc:levels=node,channel=shm+p2p' '256 KB'

# Fourier transforms: lengths that cannot be split up evenly, even and odd ones.
if has_library fft --size 8 8 8; then
  run 0 bench fft --rounds 1 --size 6 7 5 --variables 3 --grid 1 "$ranks" --specs nbc,verbs:device=emulated \
    --json -
  rows out 4 columns ranks size grid variables parts total_ms forward_ms backward_ms speedup
  has out '"columns": "alltoall"' '"columns": "one-sided"' '"columns": "nbc"' "\"grid\": \"1x$ranks\"" '"variables": 3'
  run 0 bench fft --rounds 1 --size 9 8 7 --grid "$ranks" 1 --variables 1 --polls 0 --specs nbc,nbc:window=1
  has out '9x8x7 points' forward "ranks: $ranks"
  # Planes of one array in parts of different sizes.
  run 0 bench fft --rounds 1 --size 6 7 13 --variables 2 --parts 3 --grid 1 "$ranks" --specs nbc --json -
  has out '"parts": 1' '"parts": 3'
  run 0 bench fft --rounds 1 --size 9 8 7 --variables 1 --parts 7 --grid "$ranks" 1 --polls 0 --specs nbc
  refuses 'parts: 9, but a rank has' bench fft --size 8 8 8 --parts 9
fi
refuses 'is not one of' bench fft --grid 5 7
alone refuses "is '2', but must be a whole number" bench fft --size 2 4 4
has_library fft --size 8 8 8 && refuses "did you mean 'window'" bench fft --specs nbc:windo=6

# Compression: more blocks than are on their way, and fewer; what can be compressed, and what cannot.
if has_library compress --bytes 10000; then
  run 0 bench compress --rounds 1 --bytes 20011 --blocks 5 --window 2 --letters 4 --json -
  rows out 2 gather ranks bytes blocks window letters level total_ms behind_ms speedup packed
  has out '"gather": "gather"' '"gather": "nbc"' '"bytes": 20011' '"packed": 0.'
  run 0 bench compress --rounds 1 --bytes 5000 --blocks 1 --window 9 --letters 256 --level 1 --polls 0 \
    --spec nbc:window=1
  has out '5000 bytes' behind packed "ranks: $ranks"
  refuses 'cannot be cut into 16 blocks' bench compress --bytes 3
fi
alone refuses "is '10', but must be a whole number" bench compress --level 10

# Help says what is measured.
for text in 'poisson:MPI_Alltoallv' 'poisson1d:weak scaling' 'fft:P3DFFT' 'compress:section 5.1'; do
  alone run 0 bench "${text%%:*}" --help
  has out "${text#*:}"
done
alone refuses "is '2', but must be a finite number, 1e-12 to 1" bench poisson --rtol 2
alone refuses "did you mean 'pipecg'" bench poisson --method pipceg
alone refuses "unknown engine 'shm'" bench poisson --spec shm
alone refuses "did you mean 'shm'" bench poisson --backend shn
[[ $ranks == 1 ]] || refuses 'cannot be dealt out' bench poisson --size 1 1 1
refuses 'CG ends before 100 iterations' bench poisson1d --size 10 --iterations 100
refuses "did you mean 'shm'" bench poisson1d --specs nbc,shn

finish
