#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Remote agents, in processes of this machine: sums, wrong secrets, strangers, agents and ranks that die or stop.
# Usage: test_remote_agent.sh sums|refusals|strangers|deaths|failures|missing FOLDER_OF_PROGRAMS LAUNCHER...
# Builds without OpenSSL have no agents: `missing` is for them, and they skip the others.
set -uo pipefail
part=$1
bin=$2
launch=("${@:3}")
device=${OVK_TEST_DEVICE:-emulated}
nic=() keys=
if [ "$device" = emulated ]; then nic=(--nic device=emulated) keys=device=emulated,; fi
failures=0
agent=
work=$(mktemp -d)
: >"$work/log"

# Ends the agent and, with it, the processes of all ranks.
end_agent() {
  [ -z "$agent" ] || { kill -CONT "$agent" && kill "$agent" && wait "$agent"; } 2>/dev/null
  agent=
}
trap 'end_agent; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# start_agent [OPTION...]: starts one; $at is where it listens.
start_agent() {
  : >"$work/log"
  "$bin/ovk-agent" --listen 127.0.0.1:0 --secret "$OVK_AGENT_SECRET" --passes 0 "${nic[@]}" "$@" 2>"$work/log" &
  agent=$!
  for _ in {1..1200}; do
    at=$(sed -n 's/.*listening at //p' "$work/log")
    [ "$at" ] && return
    sleep 0.05
  done
  echo "FAILED: the agent does not listen" && cat "$work/log" && exit 1
}

fault() {
  echo "FAILED: $*"
  failures=$((failures + 1))
  cat "$work/output" "$work/log"
}

# within SECONDS COMMAND...: waits until the command is true.
within() {
  local end=$((SECONDS + $1))
  while ! "${@:2}"; do
    [ $SECONDS -lt "$end" ] || return 1
    sleep 0.05
  done
}

# asks_ranks: the system has a timer, of 10 s at most, for asking whether the ranks of the agent are there.
asks_ranks() {
  local address state timer port
  port=$(printf '%04X' "${at##*:}")
  while read -r _ address _ state _ timer _; do
    if [[ $address == *:$port && $state == 01 && $timer == 02:* && 16#${timer#02:} -le 1000 ]]; then return; fi
  done </proc/net/tcp
  return 1
}

nobody_is_served() { [ -z "$(pgrep -P "$agent")" ]; }

# MPI's own leaks have no names in programs, see OVK_TOOL_ENVIRONMENT.
# solve KEYS...: status and output of a solve with these keys of verbs.
solve() {
  ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 timeout 500 "${launch[@]}" "$bin/ovk" solve --laplace27 "$points" "$points" "$points" --method overlap --backend "verbs:$keys$1" "${@:2}" \
    >"$work/output" 2>&1 </dev/null
}

iterates() { grep -q '^ *[0-9]' "$work/output"; }

# solve_long KEYS TIMES: one in the background, of many solves, that has begun to sum.
solve_long() {
  : >"$work/output"
  solve "$1" --repeat "$2" --monitor &
  running=$!
  within 60 iterates || fault "no iterations"
}

# children PID: the programs ovk below a process.
children() {
  local child
  for child in $(pgrep -P "$1"); do
    if [ "$(cat "/proc/$child/comm")" = ovk ]; then echo "$child"; else children "$child"; fi
  done
}

# has_failed STATUS WORDS: the last solve has ended with status 3 and says this.
has_failed() {
  local status=$1
  [ "$status" -eq 3 ] || fault "status $status, where 3 was expected: $2"
  grep -q "$2" "$work/output" || fault "does not say \"$2\""
}

export OVK_AGENT_SECRET=$work/secret
(umask 077 && head -c 32 /dev/urandom >"$OVK_AGENT_SECRET")
most=1000 # solves in a row
points=6  # of a rank, in each direction

if [ "$part" != missing ] && [ ! -x "$bin/ovk-agent" ]; then
  echo "skipped: a build without OpenSSL has no ovk-agent"
  exit 77
fi
if [ "$device" != emulated ] && ! solve mode=write && grep "no RDMA device" "$work/output"; then exit 77; fi

case $part in
missing)
  solve agent=127.0.0.1:7471
  [ $? -eq 2 ] || fault "takes an agent"
  grep -q "remote agents are not compiled in: build ovkrylov with OpenSSL" "$work/output" || fault "does not say why"
  solve agent=thread || fault "no solve with an agent that is a thread"
  ;;
sums)
  start_agent --memory 8
  OVK_TEST_AGENT=$at timeout 500 "${launch[@]}" "$bin/tests_verbs" test_verbs_agent || exit
  within 60 nobody_is_served || fault "processes are left"
  ;;
deaths)
  start_agent
  OVK_TEST_AGENT=$at OVK_TEST_KILL="kill -KILL \$(pgrep -n -P $agent)" timeout 500 "${launch[@]}" \
    "$bin/tests_verbs_failure" test_agent_deaths || exit
  within 60 nobody_is_served || fault "processes are left"
  ;;
refusals)
  "$bin/ovk-agent" --help | grep -q -e --listen || fault "no --help"
  for words in '' '--listen 127.0.0.1:0' '--ranks 0' '--secret' '--butler yes' '--listen nowhere --secret x' \
    '--listen 127.0.0.1:70000 --secret x'; do
    # shellcheck disable=SC2086
    OVK_AGENT_SECRET='' timeout 100 "$bin/ovk-agent" $words 2>"$work/output"
    [ $? -eq 2 ] || fault "takes '$words'"
  done
  timeout 100 "$bin/ovk-agent" --rank 2 2>"$work/output"
  grep -qF "did you mean '--ranks'?" "$work/output" || fault "does not name the closest option"
  start_agent --ranks=2 --memory 1
  cp "$OVK_AGENT_SECRET" "$work/readable" && chmod 0644 "$work/readable"
  (umask 077 && head -c 32 /dev/urandom >"$work/other")
  OVK_AGENT_SECRET=$work/other solve "agent=$at"
  has_failed $? "the secret differs from that of the peer"
  OVK_AGENT_SECRET=$work/readable solve "agent=$at" && fault "takes a secret that others can read"
  grep -q "mode should be 0600" "$work/output" || fault "says nothing of the mode"
  OVK_AGENT_SECRET='' solve "agent=$at" && fault "needs no secret"
  grep -q OVK_AGENT_SECRET "$work/output" || fault "does not name the variable"
  solve agent=127.0.0.1:70000 && fault "takes a port that there is not"
  grep -q "a port is 1 to 65535, not '70000'" "$work/output" || fault "does not name the port"
  solve agent=127.0.0.1:1
  has_failed $? "the agent at 127.0.0.1:1: Connection refused"
  printf '# nodes\n%s %s # this one\n' "$(uname -n)" "$at" >"$work/agents"
  solve "agent=$work/agents" || fault "no solve with a file of agents"
  echo "elsewhere $at" >"$work/agents"
  solve "agent=$work/agents" && fault "a node that is not in the file"
  # A first message that is no session message ends its connection and no other.
  for bytes in '' 'GET / HTTP/1.0\r\n\r\n' 'tnegakvo\1\0\0\0\0\0\0\0\377\377\377\377\377\377\377\377'; do
    # shellcheck disable=SC2059
    printf "$bytes" >"/dev/tcp/${at/:/\/}"
  done
  within 60 nobody_is_served || fault "stays with a connection that is no rank's"
  solve "agent=$at" || fault "no solve after connections that are no rank's"
  ;;
strangers)
  start_agent --ranks 1
  for _ in {1..20}; do exec {idle}<>"/dev/tcp/${at/:/\/}"; done
  solve "agent=$at" || fault "no solve beside silent connections"
  within 60 nobody_is_served || fault "processes for silent connections"
  read -r -t 120 -u "$idle"
  [ $? -le 128 ] || fault "a silent connection is not closed"
  # The messages of version 2, which had the secret in the clear.
  {
    printf 'tnegakvo\1\0\0\0\0\0\0\0\44\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    cat "$OVK_AGENT_SECRET"
    head -c 224 /dev/zero
  } 2>/dev/null >"/dev/tcp/${at/:/\/}"
  before=$SECONDS lines=$(wc -l <"$work/log")
  for _ in {1..300}; do echo x >"/dev/tcp/${at/:/\/}"; done 2>/dev/null
  [ $(($(wc -l <"$work/log") - lines)) -le $((SECONDS - before + 2)) ] || fault "a line of the log for each stranger"
  grep -q "served by process.*" <(tail -n +$((lines + 1)) "$work/log") && fault "serves strangers"
  points=24 solve_long "agent=$at" $most
  solve "agent=$at"
  has_failed $? "as many ranks as it serves at a time"
  for rank in $(children $running); do kill -KILL "$rank"; done
  wait $running
  ;;
failures)
  start_agent
  solve_long "alg=doubling,agent=$at" $most
  kill -KILL "$agent"
  wait $running
  has_failed $? "agent is broken"
  wait "$agent" 2>/dev/null
  start_agent
  solve_long "alg=doubling,agent=$at,fallback=nbc" 200
  kill -KILL "$(pgrep -n -P "$agent")" # of one rank
  wait $running || fault "no solve over the fallback"
  within 60 nobody_is_served || fault "stays where ranks have recovered"
  solve_long "alg=doubling,agent=$at" 200
  within 60 asks_ranks || fault "does not find out about a machine without power"
  stopped=$(pgrep -n -P "$agent")
  kill -STOP "$stopped" && sleep 1 && kill -CONT "$stopped"
  wait $running || fault "no solve with an agent that was stopped for a second"
  solve_long "alg=doubling,agent=$at,timeout_ms=1000" $most
  stopped=$(pgrep -n -P "$agent")
  kill -STOP "$stopped"
  wait $running
  has_failed $? "has waited"
  kill -CONT "$stopped"
  within 60 nobody_is_served || fault "stays with ranks that have failed"
  solve_long "alg=doubling,agent=$at" $most
  for rank in $(children $running); do kill -KILL "$rank"; done
  wait $running
  within 60 nobody_is_served || fault "stays with ranks that have died"
  ;;
esac
end_agent
exit $((failures > 0))
