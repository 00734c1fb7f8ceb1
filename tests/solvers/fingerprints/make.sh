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
cells=$(mktemp)
trap 'rm "$cells"' EXIT
for ranks in 1 2 3; do
  mpiexec -n "$ranks" env OVK_TEST_FINGERPRINTS_WRITE="$cells" "$build/bin/tests_solvers_fingerprints" test_fingerprints
done
# Each line of "$cells" has one cell of a row.
awk 'NF { row = $1 " " $2 " " $3; if (!(row in cells)) rows[n++] = row; cells[row] = cells[row] " " $4 }
     END { print "ranks method preconditioner format=TOTALS/X"; for (k = 0; k < n; k++) print rows[k] cells[rows[k]] }' \
  "$cells" >"$file"
wc -l "$file"
