#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Compiles a Fortran program with the module and runs it; skips where there is no Fortran compiler.
# Usage: run.sh MPI_FORTRAN_COMPILER MODULE PROGRAM LIBRARY_FOLDER LAUNCHER...
set -euo pipefail
compiler=$1 module=$2 program=$3 library=$4
shift 4
"$compiler" --version 2>/dev/null >&2 || { echo "there is no Fortran compiler: skipped" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
flags=()
case $("$compiler" --version) in
*"GNU Fortran"*) flags=(-std=f2018 -Wall -Wextra -Wpedantic -Wno-compare-reals -Wno-function-elimination -Werror -fcheck=all) ;;
esac
"$compiler" "${flags[@]}" "$module" "$program" -o program -L"$library" -lovkrylov "-Wl,-rpath,$library"
"$@" ./program
