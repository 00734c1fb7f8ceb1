#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The notebooks run from top to bottom; those of several processes need an mpi4py of the same MPI.
# Usage: test_notebooks.sh PYTHON PACKAGE_FOLDER PROGRAMS NOTEBOOK...
set -euo pipefail
python=$1 package=$2 programs=$3
shift 3
"$python" -c 'import ipykernel, matplotlib, nbconvert, scipy' 2>/dev/null ||
  { echo "skipped: there is no ipykernel, matplotlib, nbconvert or SciPy" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A kernel of this interpreter, and no other: the notebooks name it python3.
export PATH=$programs:$PATH HOME=$work JUPYTER_DATA_DIR=$work/jupyter MPLBACKEND=agg PYTHONPATH=$package
"$python" -m ipykernel install --prefix "$work" --name python3 >/dev/null 2>&1
export JUPYTER_PATH=$work/share/jupyter
notebooks=()
for notebook in "$@"; do
  if grep -q mpi4py "$notebook" && ! "$python" -c 'from mpi4py import MPI; import ovkrylov' 2>/dev/null; then
    echo "skipped: $notebook, as there is no mpi4py of this MPI"
  else
    notebooks+=("$notebook")
  fi
done
execute() {
  "$python" -m nbconvert --to markdown --execute --ExecutePreprocessor.timeout=100 --output-dir "$work/out" "${notebooks[@]}"
}
# A port that Jupyter found to be free may be taken when its kernel opens it, so a failure counts the second time.
execute || execute
[ "$(find "$work/out" -name '*.md' | wc -l)" -eq ${#notebooks[@]} ]
