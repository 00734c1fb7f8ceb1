#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Usage: run.sh PYTHON PACKAGE_FOLDER EXAMPLES RANKS LAUNCHER...: the tests of the package by pytest, and its examples.
# On one rank without mpiexec and mpi4py.
set -euo pipefail
python=$1 examples=$3 ranks=$4
export PYTHONPATH=$2 PYTHONDONTWRITEBYTECODE=1 OVK_TEST_RANKS=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
modules=(numpy scipy pytest)
if [ "$ranks" -gt 1 ]; then
  modules+=(mpi4py)
else
  set --
fi
for module in "${modules[@]}"; do
  "$python" -c "import $module" 2>/dev/null || { echo "skipped: $python has no $module" && exit 77; }
done
if [ "$ranks" -gt 1 ]; then
  mismatch=$("$python" -c 'from mpi4py import MPI
try:
    import ovkrylov
except ImportError as error:
    print(error)')
  if [ "$mismatch" ]; then echo "skipped: $mismatch" && exit 77; fi
fi
"$@" "$python" -m pytest -q -p no:cacheprovider -W error::pytest.PytestUnraisableExceptionWarning "$here"
for example in "$examples"/*.py; do
  "$@" "$python" "$example"
done
