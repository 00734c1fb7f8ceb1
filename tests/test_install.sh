#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs a build into a temporary folder; an outside program then finds it with CMake and with
# pkg-config, shared and static, and solves on 2 ranks, and so does the program of the README. And the
# shared library exports exactly the functions that the public headers declare.
# Usage: test_install.sh BUILD_FOLDER INSTALL_PREFIX MPI_C_COMPILER LAUNCHER...
set -euo pipefail
build=$1 prefix=$2 mpicc=$3
shift 3
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

echo "== find_package"
cmake -S "$user" -B "$stage/user" -DCMAKE_PREFIX_PATH="$root" -DMPI_C_COMPILER="$mpicc" >/dev/null
cmake --build "$stage/user" >/dev/null
run "$stage/user/user_shared"
run "$stage/user/user_static"

echo "== pkg-config"
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$lib/pkgconfig
  read -ra shared <<<"$(pkg-config --cflags --libs ovkrylov)"
  read -ra static <<<"$(pkg-config --cflags --libs --static ovkrylov)"
  "$mpicc" -std=c11 "$user/user.c" "${shared[@]}" "-Wl,-rpath,$lib" -o "$stage/pc_shared"
  "$mpicc" -std=c11 "$user/user.c" "${static[@]/#-lovkrylov/-l:libovkrylov.a}" -o "$stage/pc_static"
  run "$stage/pc_shared"
  run "$stage/pc_static"
  echo "== the program of the README"
  awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$user/../../README.md" >"$stage/readme.c"
  "$mpicc" -std=c11 -Wall -Werror "$stage/readme.c" "${shared[@]}" "-Wl,-rpath,$lib" -o "$stage/readme"
  "${launch[@]}" "$stage/readme" | grep -E '^[0-9]+ iterations, true residual (0|[0-9.]+e-[0-9]+)$'
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

echo "== exported symbols"
nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$stage/exported"
cat "$root"/include/ovkrylov/*.h | tr '\n' ' ' | grep -oE 'OVK_API [^;(]*\(' |
  grep -oE 'ovk_[a-z0-9_]+\($' | tr -d '(' | sort >"$stage/declared"
diff "$stage/declared" "$stage/exported" || {
  echo "< declared but not exported, > exported but not declared" >&2
  exit 1
}
echo "$(wc -l <"$stage/exported") functions"
