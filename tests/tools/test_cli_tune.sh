#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# ovk tune, and its table as OVK_TUNING. Arguments: OVK RANKS LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

short=(--bytes 8,4096 --iters 5 --rounds 3)

# A line for each length and each number of ranks, with the measured specs only.
run 0 tune "${short[@]}" --specs 'nbc:alg=flat;nbc:alg=kary,k=3' --output table
[[ ! -s out ]] || fail 'standard output is not empty'
[[ $(head -n 1 table) == 'ovkrylov tuning 1' ]] || fail 'no head'
numbers=1
for ((n = ranks; n >= 4; n /= 2)); do numbers=$((numbers + 1)); done
lines=$(grep -cE '^[12] [0-9]+ (8|4096) nbc:alg=(flat|kary,k=3) # [0-9.e+]+ of [0-9.e+]+ us$' table)
[[ $lines == $((2 * numbers)) ]] || fail "$lines lines"
[[ $(sort -k 2n -s table | tail -n 1) == [12]" $ranks 4096 "* ]] || fail 'no line of all ranks'
run 0 tune "${short[@]}"
has out 'ovkrylov tuning 1' "$ranks 8 " "$ranks 4096 "
if grep -q ' auto #' out; then fail 'auto is no entry of a table'; fi

# Programs take the table. So does ovk tune not, which measures "auto" without it.
solve=(solve --laplace7 4 4 4 --method cg --json -)
OVK_TUNING=table run 0 "${solve[@]}"
has out '"backend": "nbc:alg='
OVK_TUNING=table run 0 solve --laplace7 4 4 4 --method cg --backend nbc --json -
[[ $(value out backend) == nbc ]] || fail 'the table counts for auto only'
echo 'no table' >wrong
OVK_TUNING=wrong run 0 tune "${short[@]}"
OVK_TUNING=wrong refuses "OVK_TUNING: wrong: its first line is not 'ovkrylov tuning 1'" "${solve[@]}"
OVK_TUNING=missing refuses 'OVK_TUNING: missing: No such file' "${solve[@]}"

# Bad usage; an older table stays.
cp table kept
alone refuses '--bytes: 8 follows 64, but lengths increase' tune --bytes 64,8 --output table
alone refuses "unknown backend 'nbk'" tune --specs nbk --output table
cmp -s table kept || fail 'the table has changed'
refuses 'no/such/folder' tune --output no/such/folder/table

finish
