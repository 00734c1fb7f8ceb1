#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Every public function documents what it does, its errors, ownership of what it creates, and whether it is
# collective; and Doxygen, if it is there, builds the manual of the headers without a warning.
# Usage: test_documented.sh SOURCE_TREE BUILD_FOLDER, or test_documented.sh --self-test to see it find what is
# missing in made-up headers.
set -euo pipefail

rules=$(cd "$(dirname "$0")" && pwd)/documented.awk

# expect FAULT|none, a header on standard input: what is said of it.
expect() {
  local said
  cat >a.h
  said=$(awk -f "$rules" a.h)
  case $1:$said in
  none:) return ;;
  *:a.h:[0-9]*:*"$1"*) [ "$(wc -l <<<"$said")" -gt 1 ] || return 0 ;;
  esac
  printf 'self-test: of\n%s\nshould be said: %s\nnot: %s\n' "$(cat a.h)" "$1" "$said" >&2
  failures=$((failures + 1))
}

self_test() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
  failures=0
  expect none <<<'/** Does it. Not collective. */
OVK_API void ovk_do(void);'
  expect none <<<'/** @return what is
 * there. Not
 * collective. */
OVK_API const char *ovk_name(const ovk_thing *thing);'
  expect none <<<'/**
 * Makes it. Collective over `comm`.
 *
 * @param out  to be freed with ovk_thing_destroy()
 * @return OVK_ERR_ARG
 */
OVK_API ovk_err ovk_thing_create(MPI_Comm comm,
                                 ovk_thing **out);'
  expect 'ovk_do: no comment' <<<'OVK_API void ovk_do(void);'
  expect 'ovk_do: no comment' <<<'void ovk_do(void);'
  expect 'ovk_do: no comment' <<<'/** Does it. Not collective. */

OVK_API void ovk_do(void);'
  expect 'ovk_undo: no comment' <<<'/** Does it. Not collective. */
OVK_API void ovk_do(void);
OVK_API void ovk_undo(void);'
  expect 'ovk_poll: no comment' <<<'static inline int ovk_poll(void)
{'
  expect 'ovk_do: needs one of' <<<'/** Does it. */
OVK_API void ovk_do(void);'
  expect 'ovk_do: needs one of' <<<'/** Does it. Collective. Not collective. */
OVK_API void ovk_do(void);'
  expect 'ovk_do: needs one of' <<<'/** Does it. Collective if it likes. */
OVK_API void ovk_do(void);'
  expect 'ovk_do: has no @return' <<<'/** Does it. Collective. */
OVK_API int ovk_do(void);'
  expect 'ovk_do: is void' <<<'/** Does it. Collective. @return nothing */
OVK_API void ovk_do(void);'
  expect 'ovk_do: its @return names no error' <<<'/** Does it. Collective. @return an error */
OVK_API ovk_err ovk_do(void);'
  expect 'ovk_make: does not say who frees' <<<'/** Makes it. Collective. @return OVK_ERR_ARG */
OVK_API ovk_err ovk_make(ovk_thing **out);'
  expect 'no function found' <<<''
  [ "$failures" -eq 0 ]
}

# manual DOXYFILE FOLDER: what Doxygen says while it builds the manual of the target `docs` in FOLDER.
manual() {
  { cat "$1" && printf '%s\n' 'QUIET = YES' 'WARN_LOGFILE =' "OUTPUT_DIRECTORY = \"$2\""; } | doxygen - 2>&1
}

case ${1:?a source tree, or --self-test} in
--self-test) self_test ;;
*)
  faults=$(awk -f "$rules" "$1"/include/ovkrylov/{,*/}*.h "$1"/include/ovkrylov/*.h.in "$1"/papers/model/model.h "$1"/bindings/hypre/ovk_hypre.h)
  [ -z "$faults" ] || { printf '%s\n' "$faults" >&2; exit 1; }
  doxyfile=$2/Doxyfile.docs
  [ -f "$doxyfile" ] && command -v doxygen >/dev/null || { echo "there is no Doxygen: skipped"; exit 0; }
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  warnings=$(manual "$doxyfile" "$folder")
  [ -z "$warnings" ] || { printf '%s\n' "$warnings" >&2; exit 1; }
  ;;
esac
