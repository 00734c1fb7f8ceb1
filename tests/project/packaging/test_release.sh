#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A release is made of a commit: the same tarball twice, and none of changes that are not committed or of a wrong version.
# Usage: test_release.sh SOURCE_TREE VERSION
set -euo pipefail
tree=$1 version=$2
git -C "$tree" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: no repository" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --depth 1 "file://$(git -C "$tree" rev-parse --show-toplevel)" "$work/clone"

# refuses TEXT VERSION: with TEXT in the message.
refuses() {
  ! "$work/clone/scripts/release" --only-tarball "$2" "$work/out" >"$work/log" 2>&1 || { echo "$2 was released" && exit 1; }
  grep -F -- "$1" "$work/log" || { cat "$work/log" && exit 1; }
}

"$work/clone/scripts/release" --only-tarball "$version" "$work/first"
sleep 1
TZ=Asia/Kathmandu "$work/clone/scripts/release" --only-tarball "$version" "$work/second"
cmp "$work"/{first,second}/"ovkrylov-$version.tar.gz"
tar -tzf "$work/first/ovkrylov-$version.tar.gz" >"$work/names"
grep -x "ovkrylov-$version/CMakeLists.txt" "$work/names"
[ -s "$work/first/ovkrylov-$version.notes.md" ]

refuses 'usage:' one
refuses 'does not state version 9.9.9' 9.9.9
echo >>"$work/clone/README.md"
refuses 'not committed' "$version"
