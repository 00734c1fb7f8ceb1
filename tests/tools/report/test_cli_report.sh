#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# ovk report: the page and what is in it, what goes wrong, and what a browser makes of it. Arguments:
# OVK MPIEXEC PART, of page, faults and browser.
set -- "$1" 1 "$2" "$3"
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/../cli_lib.sh"
mpiexec=$3 part=$4
launch=() # the report starts mpiexec itself
check=${BASH_SOURCE[0]%/*}/check_report.py

command -v python3 >/dev/null || { echo "skipped: there is no python3" && exit 77; }
cheap=(report DIR --quick --ranks 2 --only "overlap-dgemm,compress")

# page DIR EXPERIMENTS TABLES PLOTS: what the page must hold at least.
page() {
  python3 "$check" page "$1/index.html" "${@:2}" >checked 2>&1 || fail "the page: $(cat checked)"
}

# plots N: as many, where they can be drawn.
plots() {
  if command -v gnuplot >/dev/null; then echo "$1"; else echo 0; fi
}

check_page() {
  run 0 "${cheap[@]}"
  page DIR overlap-dgemm,compress 3 "$(plots 3)"
  has err '1 of 3: overlap_dgemm, '
  has DIR/index.html 'of their speed alone'
  for file in data/machine.json data/compress.json data/compress.run.json; do is_json "DIR/$file"; done
  cp DIR/data/compress.json before
  # What is there is not run again, but by another command, and with --again.
  run 0 "${cheap[@]}"
  has err '3 of 3: compress is there'
  cmp -s before DIR/data/compress.json || fail 'run again'
  run 0 report DIR --quick --ranks 2 --only compress --again
  has err '1 of 1: compress, '
  run 0 report DIR --ranks 3 --only compress
  has err '1 of 1: compress, '
  # From data alone.
  rm DIR/index.html
  run 0 report DIR --page-only --only compress
  page DIR compress 1 "$(plots 1)"
  # Help.
  alone run 0 report --help
  has out 'usage: ovk report DIR' '--page-only' 'overlap-dgemm' 'exit status'
  cp out help
  alone run 0 help report
  cmp -s out help || fail 'two different helps'
}

# A launcher that breaks runs of one benchmark.
make_launcher() {
  cat >launcher <<END
#!/bin/sh
case "\$*" in
*overlap-dgemm*) echo 'ovk: <broken> & on purpose' >&2; exit 3 ;;
*) exec "$mpiexec" "\$@" ;;
esac
END
  chmod +x launcher
}

# children: processes of ranks that write to the folder `stopped`.
children() {
  pgrep -f "$work/stopped/data/"
}

# stop SIGNAL STATUS: in the middle of a long run.
stop() {
  local pid status=0 tries=0
  last="report stopped, $1"
  "$ovk" report stopped --full --ranks 2 --only sweep >out 2>err </dev/null &
  pid=$!
  until children >/dev/null || [[ $((tries += 1)) -gt 1000 ]]; do sleep 0.1; done
  [[ $tries -le 1000 ]] || fail 'no run was seen'
  kill "-$1" "$pid"
  for ((tries = 0; tries < 1000; tries++)); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  wait "$pid" || status=$?
  [[ $status == "$2" ]] || fail "exit status $status, not $2"
  ! children || fail 'a process is left behind'
  page stopped sweep 0 0
  has stopped/index.html 'it was not run'
}

check_faults() {
  make_launcher
  run 1 "${cheap[@]}" --mpiexec "$work/launcher"
  has err 'overlap_dgemm failed: exit status 3: ovk: <broken> & on purpose'
  has DIR/index.html 'ovk: &lt;broken&gt; &amp; on purpose'
  page DIR overlap-dgemm,compress 1 "$(plots 1)"
  run 0 "${cheap[@]}"
  has err '1 of 3: overlap_dgemm, '
  stop TERM 143
  # Data that are no data.
  echo '{' >DIR/data/compress.json
  run 0 report DIR --page-only --only compress
  has DIR/index.html 'its data cannot be read'
  echo '[{"gather": 1}]' >DIR/data/compress.json
  run 0 report DIR --page-only --only compress
  has DIR/index.html 'lack a part of it'
  # Bad usage.
  alone refuses 'which folder?' report
  alone refuses "unknown option '--quik', did you mean '--quick'?" report DIR --quik
  alone refuses "unexpected 'more'" report DIR more
  alone refuses "unknown experiment 'overlp', did you mean 'overlap'?" report DIR --only overlp
  alone refuses "unknown experiment ''; there are: latencies" report DIR --only ''
  listed=$(sed 's/.*there are: //' err)
  alone run 0 report --help
  [[ $(sed '1,/^experiments:/d; /^$/,$d; s/^ *//' out | paste -sd' ') == "$listed" ]] || fail 'help lists other experiments'
  alone refuses '--quick or --full, not both' report DIR --quick --full
  alone refuses "is '1', but must be a whole number from 2" report DIR --ranks 1
  alone refuses "is 'x', but must be a whole number" report DIR --ranks x
  alone refuses '--ranks needs 1 value (N), 0 given' report DIR --ranks
  alone refuses "there is no program 'no_such_launcher'" report DIR --mpiexec 'no_such_launcher -x'
  alone refuses 'there are no data in' report nowhere --page-only
  [[ ! -e nowhere ]] || fail 'a folder for what was refused'
  : >file
  refuses 'cannot write' report file/below --only compress
  launch=("$mpiexec" -n 2)
  refuses 'report starts mpiexec by itself' report DIR
}

check_browser() {
  local browser
  for browser in chromium chromium-browser google-chrome; do
    command -v "$browser" >/dev/null && break
  done
  command -v "$browser" >/dev/null || { echo "skipped: there is no Chromium" && exit 77; }
  command -v gnuplot >/dev/null || { echo "skipped: there is no gnuplot" && exit 77; }
  run 0 "${cheap[@]}"
  chrome=(timeout 300 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage
    --user-data-dir="$work/profile" --virtual-time-budget=5000 "--window-size=1100,2000")
  "${chrome[@]}" --dump-dom "file://$work/DIR/index.html" >DIR/dom.html 2>err </dev/null ||
    fail 'the browser failed'
  python3 "$check" dom DIR/dom.html 3 >checked 2>&1 || fail "what the browser has: $(cat checked)"
  "${chrome[@]}" --screenshot="$work/shot.png" "file://$work/DIR/index.html" >out 2>err </dev/null ||
    fail 'the browser failed'
  python3 "$check" picture shot.png 300 >checked 2>&1 || fail "the picture: $(cat checked)"
}

last=$part
"check_$part"
finish
