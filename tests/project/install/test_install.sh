#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs a build into a temporary folder; outside programs in C, C++ and Fortran then find it with CMake and
# with pkg-config, shared and static, and solve on 2 ranks, and so does the program of the README; the
# examples build there. The Python package solves. Another program runs the checks of ovkrylov/plugin/conformance.h on a correct backend and
# on a faulty one. libovkpetsc.so finds the library beside it, which exports exactly the functions that the
# public headers declare.
# Usage: test_install.sh BUILD_FOLDER INSTALL_PREFIX MPI_C_COMPILER CXX_COMPILER_OR_EMPTY PYTHON LAUNCHER...
set -euo pipefail
build=$1 prefix=$2 mpicc=$3 cxx=$4 python=$5
shift 5
launch=("$@")
user=$(cd "$(dirname "$0")" && pwd)/install_user

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
DESTDIR=$stage cmake --install "$build" >"$stage/install.log"
root=$stage$prefix
library=$(find "$root" -name libovkrylov.so)
lib=$(dirname "$library")

# run PROGRAM: must converge, on as many ranks as were launched.
run() {
  local said
  said=$("${launch[@]}" "$1")
  echo "$1: $said"
  case $said in
  *"2 ranks: CONVERGED_RTOL after "*) ;;
  *) return 1 ;;
  esac
}

# project FOLDER LANGUAGES TARGET CMAKE_OPTION...: without a word of the MPI, which is the library's.
project() {
  cmake -S "$user" -B "$stage/$1" -DCMAKE_PREFIX_PATH="$root" -DUSER_LANGUAGES="$2" "${@:4}" >"$stage/log" &&
    cmake --build "$stage/$1" --parallel 2 --target "$3" >>"$stage/log" || { cat "$stage/log"; return 1; }
}

echo "== find_package"
project c C all
run "$stage/c/user_c_shared"
run "$stage/c/user_c_static"
"${launch[@]}" "$stage/c/user_conform" gather
said=$("${launch[@]}" "$stage/c/user_conform" forgetful 2>&1) && { echo "not found: $said" >&2; exit 1; }
grep "conformance.c:[0-9]*: 'forgetful', rank [01]: this does not hold" <<<"$said"
if [ -n "$cxx" ]; then
  project cpp CXX all -DCMAKE_CXX_COMPILER="$cxx"
  run "$stage/cpp/user_cpp_shared"
  run "$stage/cpp/user_cpp_static"
  project both 'C;CXX' user_cpp_shared -DCMAKE_CXX_COMPILER="$cxx"
  run "$stage/both/user_cpp_shared"
fi

echo "== Fortran"
mpifort=$(dirname "$mpicc")/$(basename "$mpicc" | sed 's/^mpicc/mpifort/')
if "$mpifort" --version >/dev/null 2>&1; then
  project fortran Fortran all
  "${launch[@]}" "$stage/fortran/user_fortran"
  if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$lib/pkgconfig
    module=$(pkg-config --variable=includedir ovkrylov)/ovkrylov/ovkrylov.f90
    (cd "$stage" && "$mpifort" "$module" "$user/../../../../examples/ex12_fortran.f90" $(pkg-config --libs ovkrylov) \
      "-Wl,-rpath,$lib" -o pc_fortran)
    "${launch[@]}" "$stage/pc_fortran" groppcg
  fi
else
  echo "there is no compiler: skipped"
fi

echo "== Python"
package=$(find "$root" -path '*/ovkrylov/__init__.py')
if [ "$package" ]; then
  said=$(PYTHONPATH=${package%/ovkrylov/__init__.py} "$python" -c '
import numpy, ovkrylov
from ovkrylov._library import lib
x, info = ovkrylov.cg(numpy.diag([1.0, 2, 4]), [1.0, 2, 4])
print(info, x, lib)')
  echo "$said"
  case $said in
  "0 [1. 1. 1.] "*"$root"*) ;;
  *) exit 1 ;;
  esac
else
  echo "there is no package: skipped"
fi

echo "== pkg-config"
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$lib/pkgconfig
  read -ra shared <<<"$(pkg-config --cflags --libs ovkrylov)"
  read -ra static <<<"$(pkg-config --cflags --libs --static ovkrylov)"
  "$mpicc" -std=c11 "$user/user.c" "${shared[@]}" "-Wl,-rpath,$lib" -o "$stage/pc_shared"
  "$mpicc" -std=c11 "$user/user.c" "${static[@]/#-lovkrylov/-l:libovkrylov.a}" -o "$stage/pc_static"
  run "$stage/pc_shared"
  run "$stage/pc_static"
  cmake --install "$build" --prefix "$stage/a blank" >"$stage/install.log"
  (export PKG_CONFIG_PATH=$stage/a\ blank/${lib#"$root"/}/pkgconfig
    eval "$mpicc" -std=c11 "$user/user.c" $(pkg-config --cflags --libs ovkrylov) \
      -Wl,-rpath,$(pkg-config --variable=libdir ovkrylov) -o "$stage/pc_blank")
  run "$stage/pc_blank"
  mpicxx=$(dirname "$mpicc")/$(basename "$mpicc" | sed 's/^mpicc/mpicxx/')
  if [ -n "$cxx" ] && [ -x "$mpicxx" ]; then
    "$mpicxx" -std=c++11 "$user/user.cpp" "${shared[@]}" "-Wl,-rpath,$lib" -o "$stage/pc_cpp"
    run "$stage/pc_cpp"
    # A C++ program that the C wrapper links has none of MPI's own C++ library.
    "$cxx" -std=c++11 -c "$user/user.cpp" "${shared[@]}" $("$mpicc" -show | grep -o -- '-I[^ ]*') -o "$stage/user.o"
    "$mpicc" "$stage/user.o" "${shared[@]}" "-Wl,-rpath,$lib" -o "$stage/pc_cpp_c"
    run "$stage/pc_cpp_c"
  fi
  if [ -e "$lib/libovkhypre.so" ]; then
    echo "== a program of hypre"
    hypre=$(sed -n 's/^HYPRE_INCLUDE_DIR:PATH=//p' "$build/CMakeCache.txt")
    "$mpicc" -std=c11 -isystem "$hypre" "$user/../../../../examples/ex09_hypre.c" -lovkhypre "${shared[@]}" -lHYPRE \
      "-Wl,-rpath,$lib" -o "$stage/hypre"
    said=$("${launch[@]}" "$stage/hypre")
    echo "$said"
    [[ $said =~ ^[0-9]+\ iterations,\ residual\ [0-9.]+e-0?[0-9]+\ $ ]]
    ldd "$lib/libovkhypre_take.so" | grep "libovkhypre.so.* => $lib/"
  fi
  echo "== the program of the README"
  awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$user/../../../../README.md" >"$stage/readme.c"
  "$mpicc" -std=c11 -Wall -Werror "$stage/readme.c" "${shared[@]}" \
    "-Wl,-rpath,$(pkg-config --variable=libdir ovkrylov)" -o "$stage/readme"
  said=$("${launch[@]}" "$stage/readme")
  echo "$said"
  [[ $said =~ ^[0-9]+\ iterations,\ true\ residual\ (0|[0-9.]+e-[0-9]+)$ ]] # one line, from 2 ranks
  echo "== the first solve"
  awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$user/../../../../docs/start/c.md" >"$stage/first.c"
  "$mpicc" -std=c11 -Wall -Werror "$stage/first.c" "${shared[@]}" \
    "-Wl,-rpath,$(pkg-config --variable=libdir ovkrylov)" -o "$stage/first"
  said=$("${launch[@]}" "$stage/first")
  echo "$said"
  [[ $said =~ ^CONVERGED_RTOL,\ [0-9]+\ iterations$ ]]
else
  echo "there is none: skipped"
fi

echo "== ovk report"
if [ -x "$root/bin/ovk" ] && command -v python3 >/dev/null; then
  [ -d "$root/share/ovkrylov/report" ]
  "$root/bin/ovk" report --help | grep 'usage: ovk report DIR'
  "$root/bin/ovk" report "$stage/report" --quick --ranks 2 --only compress
  [ -s "$stage/report/index.html" ]
else
  echo "there is no ovk, or no python3: skipped"
fi

echo "== libovkpetsc.so"
if [ -e "$lib/libovkpetsc.so" ]; then
  ldd "$lib/libovkpetsc.so" | grep "libovkrylov.so.* => $lib/"
  said=$(nm -D --defined-only "$lib/libovkpetsc.so" | awk '$3 !~ /^_/ { print $3 }')
  [ "$said" = PetscDLLibraryRegister_ovkpetsc ] || { echo "exported: $said" >&2 && exit 1; }
  read -ra petsc <<<"$(pkg-config --cflags --libs petsc)"
  "$mpicc" -std=c11 "$user/../../../../examples/ex10_petsc.c" "${petsc[@]}" -o "$stage/petsc"
  said=$("${launch[@]}" "$stage/petsc" -dll_append "$lib/libovkpetsc.so" -ksp_type ovk)
  echo "$said"
  [[ $said =~ ^CONVERGED_RTOL\ after\ [0-9]+\ iterations,\ error\ [0-9.]+e-0?[0-9]+$ ]]
  echo "== its file of options, with another prefix"
  cmake --install "$build" --prefix "$stage/other" >"$stage/install.log"
  options=$(find "$stage/other" -name petscrc)
  [ ! -x "$stage/other/bin/ovk" ] || [ "$("$stage/other/bin/ovk" petsc --options)" -ef "$options" ]
  grep -x -- "-dll_append $stage/other/.*/libovkpetsc.so" "$options"
  "${launch[@]}" "$stage/petsc" -options_file "$options" -ksp_view | grep -x '  type: ovk'
else
  echo "it was not built: skipped"
fi

echo "== exported symbols"
nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$stage/exported"
cat "$root"/include/ovkrylov/{,*/}*.h | tr '\n' ' ' | grep -oE 'OVK_API [^;(]*\(' |
  grep -oE 'ovk_[a-z0-9_]+\($' | tr -d '(' | sort >"$stage/declared"
diff "$stage/declared" "$stage/exported" || {
  echo "< declared but not exported, > exported but not declared" >&2
  exit 1
}
echo "$(wc -l <"$stage/exported") functions"
