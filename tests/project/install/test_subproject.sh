#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A project that has the sources as a subfolder gets the library alone, and keeps its own target `docs`.
# Usage: test_subproject.sh SOURCES C_COMPILER MPI_C_COMPILER.
set -euo pipefail
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cat >"$stage/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(parent C)
add_custom_target(docs)
add_subdirectory("$1" ovkrylov)
add_executable(user "$1/tests/project/install/install_user/user.c")
target_link_libraries(user PRIVATE ovkrylov::ovkrylov)
END
cmake -S "$stage" -B "$stage/build" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$2" -DMPI_C_COMPILER="$3" >"$stage/log" 2>&1 ||
  { cat "$stage/log" && exit 1; }
targets=$(cmake --build "$stage/build" --target help)
for name in user ovkrylov ovkrylov_static; do
  grep -qx "\.\.\. $name" <<<"$targets" || { echo "there is no target $name" && exit 1; }
done
for name in ovk_tool ovkpetsc ex01_laplace27; do
  ! grep -qx "\.\.\. $name" <<<"$targets" || { echo "the project would build $name" && exit 1; }
done
