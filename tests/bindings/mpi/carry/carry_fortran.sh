#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Compiles programs/carry_fortran.f90 and runs it as carry.sh does, with all of its all-reduces carried; skips where
# there is no Fortran compiler.
# Usage: carry_fortran.sh MPI_FORTRAN_COMPILER LIBRARY LAUNCHER...
set -euo pipefail
compiler=$1 library=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
command -v "$compiler" >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$compiler" -J "$work" -o "$work/program" "$here/programs/carry_fortran.f90"
bash "$here/carry.sh" "$library" OVK_TEST_ALL=1 "$@" -- "$work/program"
