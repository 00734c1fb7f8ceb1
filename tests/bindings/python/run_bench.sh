#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Usage: run_bench.sh PYTHON PACKAGE_FOLDER SCRIPT: the comparison with SciPy, with small matrices: both take as many
# iterations, a few percent more or less, and give the same solution.
set -euo pipefail
export PYTHONPATH=$2
"$1" -c 'import scipy.spatial' 2>/dev/null || { echo "skipped: $1 has no scipy" && exit 77; }
results=$(mktemp)
trap 'rm -f "$results"' EXIT
"$1" "$3" --rounds 1 --size 0.02 --cpu --json "$results"
"$1" - "$results" <<'END'
import json
import sys

rows = json.load(open(sys.argv[1]))
assert len(rows) == 7, rows
for row in rows:
    theirs, ours = row['iterations']
    assert abs(theirs - ours) <= 0.1 * theirs and row['difference'] < 1e-5 and row['ratio'] > 0, row
END
