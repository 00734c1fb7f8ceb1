#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Each public header compiles alone, as C11 and as C++11, and shows nothing private.
# Usage: test_headers.sh C_COMPILER CXX_COMPILER_OR_EMPTY SOURCE_INCLUDES GENERATED_INCLUDES MPI_INCLUDES...
set -euo pipefail
cc=$1 cxx=$2 source=$3 generated=$4
shift 4
flags=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$source" -I "$generated")
for folder in "$@"; do flags+=(-isystem "$folder"); done
flags+=(-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX) # MPI's own C++ interface is none of ours

compile_c() { "$cc" -std=c11 "${flags[@]}" -x c -; }
compile_cxx() { "$cxx" -std=c++11 "${flags[@]}" -x c++ -; }

for header in "$source"/ovkrylov/*.h "$generated"/ovkrylov/*.h; do
  include="#include <ovkrylov/$(basename "$header")>"
  echo "$include" | compile_c
  if [ -n "$cxx" ]; then echo "$include" | compile_cxx; fi
done

# A C++ program can use what has no C++ form, such as the macro of defaults, through a function.
if [ -n "$cxx" ]; then
  compile_cxx <<<'#include <ovkrylov/ovkrylov.h>
    int iterations() { ovk_pcg_opts opts = ovk_pcg_opts_default(); return opts.maxit; }'
fi

# The library's objects are opaque: their size is unknown to a user.
objects=$(sed -n 's/^typedef struct \(ovk_[a-z]*\) \1;$/\1/p' "$source"/ovkrylov/*.h)
[ "$(wc -w <<<"$objects")" -ge 7 ] || { echo "these are not all objects: $objects" >&2; exit 1; }
for object in $objects; do
  if compile_c <<<"#include <ovkrylov/ovkrylov.h>
    extern char size[sizeof($object)];" 2>/dev/null; then
    echo "the inside of $object is public" >&2
    exit 1
  fi
done

if grep -n 'ovk__' "$source"/ovkrylov/*.h; then
  echo "internal names in public headers" >&2
  exit 1
fi
