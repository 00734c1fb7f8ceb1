#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A full /dev/shm and a full disk: file systems in memory, mounted in a private namespace. Skipped
# where that is not permitted.
# Usage: test_full_storage.sh FULL_SHM OVK RANKS LAUNCHER...; the first program is full_shm.c.
set -uo pipefail
export OMPI_MCA_odls_base_sigkill_timeout=0 # or Open MPI waits so many seconds for ranks that failed

if [ -z "${OVK_TEST_ALONE-}" ]; then
  unshare -m true 2>/dev/null || { echo "skipped: no file system can be mounted" && exit 77; }
  OVK_TEST_ALONE=yes exec unshare -m "$BASH" "$0" "$@"
fi
full_shm=$1
ovk=$2
launch=("${@:4}")
failures=0
work=$(mktemp -d)
disk=$work/disk
trap 'umount "$disk"; rm -rf "$work"' EXIT
mkdir "$disk"
mount -t tmpfs -o size=256m ovk_test /dev/shm && mount -t tmpfs -o size=64k ovk_test "$disk" || exit 77

fail() {
  printf 'FAILED: %s\n' "$*"
  tail -n 30 "$work/out"
  failures=$((failures + 1))
}

timeout 300 "${launch[@]}" "$full_shm" >"$work/out" 2>&1 </dev/null || fail "exit status $? with a full /dev/shm"

# cannot_write NAME LEFT ARGUMENTS...: a solve that is to write NAME says that it cannot, and leaves on the disk
# what was there before, and LEFT.
cannot_write() {
  local status=0 left
  timeout 500 "${launch[@]}" "$ovk" solve --laplace27 12 12 12 "${@:3}" >"$work/out" 2>&1 </dev/null || status=$?
  [ "$status" = 2 ] || fail "$1: exit status $status, not 2"
  grep -Eq "^ovk: .*$disk/$1: (only .* could be written|No space left|cannot write)" "$work/out" || fail "$1: no message for it"
  left=$(cd "$disk" && printf '%s ' *)
  [ "$left" = "filler $2" ] || fail "$1: left on the disk: $left"
  find "$disk" -type f ! -name filler -delete
}

touch "$disk/filler"
cannot_write x.mtx "" --solution "$disk/x.mtx" # of which there is room for a part
head -c 1M /dev/zero >"$disk/filler" 2>/dev/null
cannot_write x.mtx "" --solution "$disk/x.mtx"
cannot_write r.json "" --json "$disk/r.json"
cannot_write h.csv "h.csv " --history "$disk/h.csv" # which is read while it grows
printf '%d failures\n' "$failures"
exit $((failures > 0))
