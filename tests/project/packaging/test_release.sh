#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A release is made of a commit: the same tarball twice, and none of changes that are not committed or of a wrong version.
# Its bill of materials names the libraries that a binary loads.
# Usage: test_release.sh SOURCE_TREE VERSION LIBRARY
set -euo pipefail
tree=$1 version=$2 library=$3
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

python3 "$tree/packaging/bill_of_materials.py" "$version" 2026-01-01T00:00:00Z "$work/first/ovkrylov-$version.tar.gz" \
  "$library" >"$work/materials.json"
python3 - "$work/materials.json" "$version" <<'END'
import json, sys
document = json.load(open(sys.argv[1]))
packages = document['packages']
assert packages[0]['name'] == 'ovkrylov' and packages[0]['versionInfo'] == sys.argv[2]
assert len(packages[0]['checksums'][0]['checksumValue']) == 64
assert any('mpi' in package['name'] for package in packages[1:]), 'no MPI'
identifiers = [package['SPDXID'] for package in packages]
assert len(set(identifiers)) == len(identifiers) == len(document['relationships'])
END

refuses 'usage:' one
refuses 'does not state version 9.9.9' 9.9.9
echo >>"$work/clone/README.md"
refuses 'not committed' "$version"
