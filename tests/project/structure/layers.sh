#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Checks who includes whom, and who calls whom, the rule of docs/architecture.md: reports each offending line.
# Usage: layers.sh SOURCE_TREE [BUILD_FOLDER], or layers.sh --self-test to see it find what is wrong in made-up
# trees.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

# Prints "file:line: fault" for every offending include below the current folder.
list_faults() {
  local folders=() folder
  for folder in include src bindings tools papers examples bench tests; do
    if [ -d "$folder" ]; then folders+=("$folder"); fi
  done
  find "${folders[@]}" -name '*.[ch]' | sort | xargs -r awk -f "$here/layers_table.awk" -f "$here/layers.awk"
}

# expect good|bad FILE INCLUDE...: what list_faults says of FILE with these includes, the last of which
# is the one to judge.
expect() {
  local verdict=$1 file=$2 line=$(($# - 2)) faults
  shift 2
  mkdir -p "$(dirname "$file")"
  printf '#include %s\n' "$@" >"$file"
  faults=$(list_faults)
  rm "$file"
  case $verdict:$faults in
  good: | bad:"$file:$line: "*) ;;
  *)
    echo "self-test: $* in $file should be $verdict, but: ${faults:-no fault found}" >&2
    failures=$((failures + 1))
    ;;
  esac
}

# In each folder of the rules, an include of each folder that stands lower in their list, and of the top
# layer's: all are faults.
expect_no_arrow_up() {
  local folders folder other arrows=0 faults k
  mapfile -t folders < <(sed -n 's/^ *may\["\(.*\)"\] = .*/\1/p' "$here/layers_table.awk" | grep -Ev '^(papers|bindings)')
  for k in "${!folders[@]}"; do
    folder=${folders[k]}
    mkdir -p "src/$folder"
    for other in "${folders[@]:k+1}"; do
      printf '#include "%s/b.h"\n' "$other"
      arrows=$((arrows + 1))
    done >"src/$folder/up.c"
  done
  faults=$(list_faults | grep -c '/up.c:') || true
  rm -r src
  [ "$faults" -eq "$arrows" ] && [ "$arrows" -gt 400 ] && return
  echo "self-test: of $arrows arrows up, $faults are found" >&2
  failures=$((failures + 1))
}

# list_objects BUILD_FOLDER: those of sources that are still there, by their paths in that folder.
list_objects() {
  local object source
  {
    find "$1"/{src,papers} -path '*/ovk_*.dir/*' -name '*.o'
    find "$1/bindings" -path '*/ovk*.dir/*' -name '*.o'
  } | while read -r object; do
    object=${object#"$1/"}
    source=${object/CMakeFiles\/ovk*.dir\//}
    source=${source/__/..}
    if [ -f "${source%.o}" ]; then echo "$object"; fi
  done
}

# list_calls: the faults that linked.awk finds in symbols, read from standard input.
list_calls() {
  awk -f "$here/layers_table.awk" -f "$here/linked.awk"
}

# Calls down, a table of data, a call up, and a circle of two files that a third one calls; in bindings a call up, a
# call down, and a function of two bindings.
expect_linked() {
  local found
  found=$(list_calls <<'END'
src/CMakeFiles/ovk_objects.dir/matrix/a.c.o: f U
src/CMakeFiles/ovk_objects.dir/core/a.c.o: f T 0 1
src/CMakeFiles/ovk_objects.dir/core/a.c.o: table U
src/CMakeFiles/ovk_objects.dir/matrix/b.c.o: table R 0 1
src/CMakeFiles/ovk_objects.dir/core/b.c.o: g U
src/CMakeFiles/ovk_objects.dir/matrix/b.c.o: g T 0 1
src/CMakeFiles/ovk_objects.dir/precond/a.c.o: h T 0 1
src/CMakeFiles/ovk_objects.dir/precond/a.c.o: i U
src/CMakeFiles/ovk_objects.dir/precond/b.c.o: i T 0 1
src/CMakeFiles/ovk_objects.dir/precond/b.c.o: h U
src/CMakeFiles/ovk_objects.dir/precond/c.c.o: h U
src/CMakeFiles/ovk_objects.dir/precond/c.c.o: i U
bindings/mpi/carry/CMakeFiles/ovk_mpi.dir/boards/a.c.o: MPI_Wait U
bindings/mpi/carry/CMakeFiles/ovk_mpi.dir/a.c.o: MPI_Wait T 0 1
bindings/mpi/carry/CMakeFiles/ovk_mpi.dir/a.c.o: k U
bindings/mpi/carry/CMakeFiles/ovk_mpi.dir/boards/a.c.o: k T 0 1
bindings/mpi/delay/CMakeFiles/ovk_delay.dir/a.c.o: MPI_Wait T 0 1
bindings/mpi/delay/CMakeFiles/ovk_delay.dir/b.c.o: MPI_Wait U
bindings/mpi/delay/CMakeFiles/ovk_delay.dir/b.c.o: l U
bindings/mpi/delay/CMakeFiles/ovk_delay.dir/__/own.c.o: l T 0 1
bindings/mpi/delay/CMakeFiles/ovk_delay.dir/__/own.c.o: m U
bindings/mpi/delay/CMakeFiles/ovk_delay.dir/a.c.o: m T 0 1
END
  )
  [ "$(grep -c . <<<"$found")" -eq 5 ] && grep -q '^core/b.c: g() of matrix/b.c' <<<"$found" &&
    grep -q '^bindings/mpi/carry/boards/a.c: MPI_Wait() of bindings/mpi/carry/a.c' <<<"$found" &&
    grep -q '^bindings/mpi/own.c: m() of bindings/mpi/delay/a.c' <<<"$found" &&
    [ "$(grep -c 'circle' <<<"$found")" -eq 2 ] && return
  echo "self-test: among the symbols are faults: $found" >&2
  failures=$((failures + 1))
}

self_test() {
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  cd "$tree"
  mkdir -p src tools/ovk tests/part bindings/petsc/{ksp,state} bindings/mpi papers/model/network
  touch tools/own.h tools/ovk/main.h tests/part/own.h bindings/petsc/{ksp,state}/own.h bindings/mpi/own.h \
    papers/model/{model,own,network/own}.h
  failures=0
  expect good src/core/a.c '"core/b.h"'
  expect good src/core/a.c '"core/base/b.h"'
  expect good src/core/a.c '<ovkrylov/ctx.h>'
  expect good src/core/a.c '<stdio.h>'
  expect bad src/core/a.c '"b.h"'
  expect bad src/core/a.c '<matrix/b.h>'
  expect bad src/core/a.c '"core/../matrix/b.h"'
  expect bad src/other/a.c '"core/b.h"'
  expect bad src/core/other/a.c '"core/b.h"'
  expect good src/conformance/a.c '<ovkrylov/ctx.h>'
  expect bad src/conformance/a.c '"core/base/b.h"'
  expect bad src/matrix/a.c '"backends/b.h"'
  expect bad src/precond/a.c '"comm/engine/b.h"'
  expect good src/comm/engine/a.c '"comm/engine/channels/b.h"'
  expect bad src/comm/engine/channels/a.c '"comm/engine/b.h"'
  expect good src/backends/nbc/a.c '"comm/engine/schedule/b.h"'
  expect bad src/backends/nbc/a.c '"backends/shm/b.h"'
  expect bad src/backends/a.c '"backends/nbc/b.h"'
  expect good src/solvers/a.c '"solvers/ops/b.h"'
  expect bad src/solvers/ops/a.c '"backends/nbc/b.h"'
  expect good tools/a.c '"own.h"'
  expect good tools/ovk/part/a.c '"main.h"'
  expect bad tools/ovk/part/a.c '"other.h"'
  expect bad tools/a.c '"core/b.h"'
  expect bad examples/a.c '"tools/own.h"'
  expect bad include/ovkrylov/a.h '"core/b.h"'
  expect good tests/a.c '"support/b.h"'
  expect good tests/a.c '"core/b.h"' '"comm/engine/c.h"'
  expect bad tests/a.c '"other/b.h"'
  expect good tests/part/a.c '"own.h"'
  expect good tests/a.c '"matrix/b.h"' '"matrix/io/c.h"'
  expect bad tests/a.c '"comm/engine/b.h"' '"matrix/b.h"'
  expect good papers/model/a.c '"comm/engine/b.h"'
  expect bad papers/model/a.c '"matrix/b.h"'
  expect good papers/model/a.c '"model/network/own.h"'
  expect good papers/model/network/a.c '"model/model.h"'
  expect bad papers/model/network/a.c '"model/own.h"'
  expect bad papers/bench/a.c '"core/b.h"'
  expect good bindings/petsc/ksp/a.c '"own.h"' '"state/own.h"'
  expect bad bindings/petsc/state/a.c '"ksp/own.h"'
  expect bad bindings/petsc/other/a.c '"state/own.h"'
  expect bad bindings/petsc/a.c '"core/b.h"'
  expect good bindings/mpi/delay/a.c '"own.h"'
  expect_no_arrow_up
  expect_linked
  [ "$failures" -eq 0 ]
}

case ${1:?a source tree, or --self-test} in
--self-test) self_test ;;
*)
  cd "$1"
  faults=$(list_faults)
  if [ "${2-}" ]; then
    calls=$(list_objects "$2" | (cd "$2" && xargs nm -A -P) | list_calls)
    faults=$faults${faults:+$'\n'}$calls
  fi
  [ -z "$faults" ] || { printf '%s\n' "$faults" >&2; exit 1; }
  ;;
esac
