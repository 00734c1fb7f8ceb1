#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Writes fingerprints.txt from the solves of a build. Only a deliberate change of the arithmetic is a reason.
# Usage: make.sh BUILD
set -euo pipefail
root=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd)
build=$(cd "$1" && pwd)
# shellcheck source=scripts/lib
source "$root/scripts/lib"
file=$root/tests/solvers/fingerprints/fingerprints.txt
: >"$file"
for ranks in 1 2 3; do
  mpiexec -n "$ranks" env OVK_TEST_FINGERPRINTS_WRITE="$file" "$build/bin/tests_solvers_fingerprints" test_fingerprints
done
wc -l "$file"
