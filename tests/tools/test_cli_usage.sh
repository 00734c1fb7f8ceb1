#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk: help, lists, and what must be refused with exit status 2 and one message, with
# no hang on any rank. Arguments: OVK RANKS LAUNCHER....
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

small=(solve --laplace7 4 4 4)

# Help and version.
run 2
has err 'ovk solve'
run 0 --help
has out 'usage: mpiexec' 'exit status'
run 0 help solve
has out '--laplace27 NX NY NZ' '--json FILE|-'
cp out help
run 0 solve --help
cmp -s out help || fail 'two different helps'
# Manual pages: every option of --help, without an error of the formatter.
for page in '' solve bench list report run petsc diff tune; do
  run 0 man $page
  has out ".TH OVK" '.SH NAME' '.SH SYNOPSIS' '.SH EXIT STATUS'
  if command -v groff >groff.path; then
    "$ovk" man $page >alone 2>faults # as launchers may lose lines of processes that end soon
    groff -man -Tutf8 -ww alone >page 2>>faults || fail "groff fails on $page"
    [[ ! -s faults ]] || fail "groff: $(head -n 1 faults)"
  fi
  if command -v mandoc >mandoc.path; then
    "$ovk" man $page >alone 2>faults
    mandoc -T lint -W warning alone >faults || fail "mandoc: $(head -n 1 faults)"
  fi
done
if command -v mandoc >mandoc.path; then
  mandoc -T lint -W warning "${BASH_SOURCE[0]%/*}/../../tools/ovk-agent/ovk-agent.8" >faults || fail "mandoc: $(head -n 1 faults)"
fi

# Completion, by the function of the script: completes LINE EXPECTED.
completes() {
  local COMP_WORDS COMP_CWORD COMPREPLY
  read -ra COMP_WORDS <<<"$1"
  if [[ $1 == *' ' ]]; then COMP_WORDS+=(''); fi
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _ovk
  [[ "${COMPREPLY[*]}" == "$2" ]] || fail "'$1' is completed to '${COMPREPLY[*]}'"
}
run 0 completion
"$ovk" completion >./completion.bash # as launchers may lose lines
source ./completion.bash
completes 'ovk so' solve
completes 'ovk man be' bench
completes 'ovk bench red' reduction
completes 'ovk bench reduction --rou' --rounds
completes 'ovk solve --prob' --problem
completes 'ovk solve --norm pre' preconditioned
completes 'ovk solve --method pipelc' pipelcg
completes 'ovk run --backend ' 'auto shm none'
completes 'ovk run ./' '' # then a file
refuses 'completion: 1 arguments, but at most 0 is allowed' completion bash
run 0 man solve
cp out page
while read -r name _; do
  [[ $name != --* ]] || has page "\\fB${name//-/\\-}\\fR"
done <help
run 0 man bench
has out '.SS reduction' '\fB\-\-rounds\fR \fIN\fR' 'default 9'
refuses "unknown command 'slove', did you mean 'solve'?" man slove
refuses 'man: 2 arguments, but at most 1 is allowed' man bench reduction
run 0 --version
grep -qE '^ovk [0-9]+\.[0-9]+\.[0-9]+$' out || fail 'no version'

# Lists.
run 0 list
! grep -qE '\bfault' out || fail 'keys that are for tests'
! grep -qE '.{101}' out || fail 'lines of more than 100 letters'
has out '  auto              the method that' # two spaces behind the longest of a list
has out '  pipebcgs          BiCGStab' '  none       the identity'
has out 'also: pcg algorithm1' methods backends preconds formats cg overlap pipecg pipeprcg pipelcg auto \
    blocking jacobi csr
run 0 list backends --json -
is_json out
has out '"persistent"'
! grep -q '"methods"' out || fail 'more than was asked for'
! grep -qE '\bfault' out || fail 'keys that are for tests'
run 0 list --json lists.json
is_json lists.json
for word in methods backends preconds formats; do has lists.json "\"$word\": ["; done
run 0 list methods cg
has out 'columns: several right-hand sides at once'
run 0 list backends blocking
! grep -q 'columns:' out || fail 'a backend has no columns'

# Schedules.
run 0 list schedule nbc:levels=2,channel=shm+p2p --ranks 4 --rank 2 --count 3
printf '%s\n' 'round 1' '  receive work[0..3) from 3 over shm' '  combine work[0..3) into output[0..3)' \
  'round 2' '  send output[0..3) to 0 over p2p' '  receive work[0..3) from 0 over p2p' \
  '  combine output[0..3) into work[0..3)' '  copy work[0..3) to output[0..3)' \
  'round 3' '  send output[0..3) to 3 over shm' >expected
cmp -s expected out || fail 'another schedule'
run 0 list schedule nbc:alg=tree --ranks 64 --rank 1 --json -
is_json out
has out '"spec": "nbc:alg=tree"' '"ranks": 64' '"rank": 1' '"count": 1' '"rounds": [' \
  '"send output[0..1) to 0 over p2p"'
run 0 list schedule nbc --ranks 1 --json one.json
is_json one.json
refuses 'of which backend?' list schedule
refuses "did you mean 'nbc'?" list schedule nbd
refuses "did you mean 'levels'?" list schedule nbc:level=2
refuses "'blocking' follows no schedule" list schedule blocking
refuses 'give sizes, as in levels=4x2' list schedule nbc:levels=node
refuses 'rank is 4, not 0 to 3' list schedule nbc --ranks 4 --rank 4
refuses "is '0', but must be a whole number" list schedule nbc --ranks 0
refuses "unexpected 'more'" list schedule nbc more
refuses '--rank is for `ovk list schedule`' list backends --rank 1

# Commands, lists and options that there are not.
OVK_CHECK=1 OVK_CHECK_TIMEOUT=soon refuses "OVK_CHECK_TIMEOUT is 'soon', but must be a number" "${small[@]}"
refuses "unknown command 'slove', did you mean 'solve'?" slove
refuses "there are: solve, bench, list, report, run" xyzzy
refuses "unknown command 'xyzzy'" help xyzzy
refuses "unknown list 'method', did you mean 'methods'?" list method
refuses "there is no 'formats'; see \`ovk list backends\`" list backends formats
refuses "json lists all methods" list methods gmres --json -
refuses "unknown option '--gird', did you mean '--grid'?" "${small[@]}" --gird 1 1 1
refuses "unknown option '-rtol', did you mean '--rtol'?" "${small[@]}" -rtol 1e-3
refuses "unknown option '--mehtod', did you mean '--method'?" "${small[@]}" --mehtod=overlap
refuses '--grid takes PX PY PZ: no' "${small[@]}" --grid=1 1 1
refuses '--monitor takes no value: no' "${small[@]}" --monitor=yes
refuses '--rtol is given twice' "${small[@]}" --rtol=1e-3 --rtol 1e-4
run 0 "${small[@]}" --method=overlap --backend=iallreduce --rtol=1e-3 --json=-
has out '"method": "overlap"' '"backend": "iallreduce"' '"rtol": 0.001'
refuses "unexpected '4'" solve --laplace7 4 4 4 4

# Values.
refuses '--grid needs 3 values (PX PY PZ), 2 given' "${small[@]}" --grid 1 1
refuses '--rtol needs 1 value (R), 0 given' "${small[@]}" --rtol --maxit 3
refuses '--rtol is given twice' "${small[@]}" --rtol 1e-3 --rtol 1e-4
refuses "is '4x', but must be a whole number" solve --laplace7 4 4x 4
refuses "is '0', but must be a whole number" solve --laplace7 4 4 0
refuses "is '99999999999', but must be a whole number" solve --laplace7 4 4 99999999999
refuses "is '-3', but must be a whole number" "${small[@]}" --maxit -3
refuses "is '1.5', but must be a whole number" "${small[@]}" --repeat 1.5
refuses "is '-1e-8', but must be a finite number, at least 0" "${small[@]}" --rtol -1e-8
refuses "is 'nan', but must be a finite number, at least 0" "${small[@]}" --atol nan
refuses "is '1e999', but must be a finite number, at least 0" "${small[@]}" --atol 1e999
refuses "is '1e-3x', but must be a finite number, at least 0" "${small[@]}" --rtol 1e-3x

# Which problem.
refuses 'exactly one of --laplace27, --laplace7, --convdiff7, --helmholtz7, --problem and --matrix is needed, 0 given' solve
refuses "did you mean 'jumps7'" solve --problem jump7 3 3 3
refuses '--problem needs 4 values' solve --problem jumps7 3 3
refuses "--problem is '0', but must be a whole number" solve --problem jumps7 3 3 0
refuses '--grid is not for --problem' solve --problem jumps7 3 3 3 --grid 1 1 1
refuses '--shift is for --helmholtz7' solve --laplace7 4 4 4 --shift 1
refuses 'is needed, 2 given' "${small[@]}" --laplace27 4 4 4
refuses '--grid is for the model problems' solve --matrix nowhere.mtx --grid 1 1 1
refuses "a grid of 1 x 2 x $ranks processes has $((2 * ranks))" "${small[@]}" --grid 1 2 "$ranks"

# Names of plug-ins.
refuses "did you mean 'overlap'?" "${small[@]}" --method overlp
refuses "did you mean 'blocking'?" "${small[@]}" --backend bloking
refuses "'presistent'" "${small[@]}" --backend iallreduce:presistent
refuses "did you mean 'jacobi'?" "${small[@]}" --precond jacoby
refuses "'cssr'" "${small[@]}" --format cssr
refuses 'column' "${small[@]}" --backend 'blocking:'

# Output files.
refuses 'cannot write' "${small[@]}" --json no/such/folder.json
refuses 'cannot write' "${small[@]}" --history no/such/folder.csv
refuses 'cannot write no/such/folder.mtx: No such file' "${small[@]}" --solution no/such/folder.mtx --maxit 0
refuses 'cannot write .: Is a directory' "${small[@]}" --solution .
if [[ -w /dev/full ]]; then
  run 2 "${small[@]}" --json /dev/full
  has err 'cannot write /dev/full'
fi

finish
