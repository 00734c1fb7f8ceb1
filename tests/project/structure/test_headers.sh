#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Each public header compiles alone as C11, all of them as C++11 and C++20, and they show nothing private.
# Usage: test_headers.sh C_COMPILER CXX_COMPILER_OR_EMPTY SOURCE_INCLUDES GENERATED_INCLUDES MPI_INCLUDES...
set -euo pipefail
cc=$1 cxx=$2 source=$3 generated=$4
shift 4
flags=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$source" -I "$generated")
for folder in "$@"; do flags+=(-isystem "$folder"); done

compile_c() { "$cc" -std=c11 "${flags[@]}" -x c -; }
compile_cxx() { "$cxx" "-std=$1" "${flags[@]}" -x c++ -; }

# The standards among these that the compiler supports.
standards=()
for standard in c++11 c++20; do
  if [ -n "$cxx" ] && compile_cxx $standard <<<'' 2>/dev/null; then standards+=("$standard"); fi
done

# An include that is missing is missing in C, too: C++ takes them together, as it takes longest to start.
headers=("$source"/ovkrylov/{,*/}*.h "$generated"/ovkrylov/*.h)
includes=$(for header in "${headers[@]}"; do echo "#include <ovkrylov/${header##*/ovkrylov/}>"; done)
while read -r include; do compile_c <<<"$include"; done <<<"$includes"
for standard in "${standards[@]}"; do compile_cxx "$standard" <<<"$includes"; done

# The macros of results and calls are valid in any C++, those of defaults in C++20; for an older one there are functions.
for standard in "${standards[@]}"; do
  compile_cxx "$standard" <<<'#include <ovkrylov/ovkrylov.h>
    int iterations() { ovk_solver_opts opts = ovk_solver_opts_default(); return opts.maxit; }
    ovk_err solve(ovk_solver *solver, const ovk_vec *b, ovk_vec *x, ovk_choice *first)
    {
      ovk_err err = OVK_OK;
      ovk_result result = OVK_RESULT;
      *first = OVK_CHOICE;
      OVK_CALL(err, ovk_solver_solve(solver, b, x, &result));
      return err;
    }
    #if __cplusplus >= 202002L
    int iterations20() { ovk_solver_opts opts = OVK_SOLVER_OPTS; return opts.maxit; }
    #endif'
done

# MPI's own C++ classes, which a program would have to link, stay out.
if [ -n "$cxx" ] && "$cxx" -std=c++11 "${flags[@]}" -E -x c++ - <<<'#include <ovkrylov/ovkrylov.h>' |
  grep 'namespace *MPI'; then
  echo "mpi.h brings its C++ classes" >&2
  exit 1
fi

# Compiled with the mpi.h of another MPI, the headers say of which two. These are no more than names.
other=$(mktemp -d)
trap 'rm -rf "$other"' EXIT
built=$(sed -n 's/^#define OVK_MPI_IS_//p' "$generated/ovkrylov/version.h")
for here in OPEN_MPI MPICH OTHER; do
  case $here in
  OPEN_MPI) echo '#define OPEN_MPI 1' ;;
  MPICH) echo '#define MPICH_VERSION "4"' ;;
  OTHER) ;;
  esac >"$other/mpi.h"
  echo 'typedef int MPI_Comm, MPI_Fint;' >>"$other/mpi.h"
  said=$(echo '#include <ovkrylov/ctx.h>' | "$cc" -std=c11 -I "$other" "${flags[@]}" -x c - 2>&1) && said=compiles
  case $built:$here:$said in
  "$here:$here:compiles" | :*:compiles) ;;
  OPEN_MPI:MPICH:*"built with Open MPI, but this program is compiled with MPICH's"*) ;;
  MPICH:OPEN_MPI:*"built with MPICH, but this program is compiled with Open MPI's"*) ;;
  *:OTHER:*"compiled with another MPI's"*) ;;
  *)
    echo "built with ${built:-?}, compiled with $here: $said" >&2
    exit 1
    ;;
  esac
done

# The library's objects are opaque: their size is unknown to a user.
all=$(cd "$source" && printf '#include <%s>\n' ovkrylov/*.h ovkrylov/*/*.h)
objects=$(sed -n 's/^typedef struct \(ovk_[a-z]*\) \1;$/\1/p' "$source"/ovkrylov/{,*/}*.h)
[ "$(wc -w <<<"$objects")" -ge 7 ] || { echo "these are not all objects: $objects" >&2; exit 1; }
for object in $objects; do
  if compile_c <<<"$all
    extern char size[sizeof($object)];" 2>/dev/null; then
    echo "the inside of $object is public" >&2
    exit 1
  fi
done

if grep -n 'ovk__' "$source"/ovkrylov/{,*/}*.h; then
  echo "internal names in public headers" >&2
  exit 1
fi
