#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Compiles programs/NAME.f90 and runs it as carry.sh does; skips where there is no Fortran compiler.
# Usage: carry_fortran.sh MPI_FORTRAN_COMPILER NAME LIBRARY VARIABLES LAUNCHER...
set -euo pipefail
compiler=$1 name=$2 library=$3 variables=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
command -v "$compiler" >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$compiler" -J "$work" -o "$work/program" "$here/programs/$name.f90"
bash "$here/carry.sh" "$library" "$variables" "$@" -- "$work/program"
