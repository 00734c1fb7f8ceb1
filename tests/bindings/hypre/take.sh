#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A program of hypre with libovkhypre_take.so preloaded and without: the same lines but for rounding, by ovkrylov
# where it is said, and by hypre's own where it has to be.
# Usage: take.sh LIBRARY PROGRAM LAUNCHER...
set -euo pipefail
library=$1 program=$2
launch=("${@:3}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset OVK_METHOD

# same FILE FILE: words alike; numbers with a point within 1e-5, and the norm of a residual, below 1e-2, within 2 %.
# GMRES and BiCGSTAB may take an iteration more or less, conjugate gradients may not. A solve that starts converged
# may make none.
same() {
  paste -d' ' "$1" "$2" | awk '
    function differs(a, b, most) { d = a - b; return (d < 0 ? -d : d) > most * (a < 0 ? -a : a) }
    {
      n = NF / 2
      for (k = 1; k <= n; k++) {
        a = $k; b = $(n + k); bad = a != b
        if (a ~ /[.]/) bad = differs(a, b, a < 1e-2 ? 0.02 : 1e-5)
        if ($2 == "started" && k > 2 && k < 7) bad = 0
        if (k == 3 && ($1 ~ /GMRES|BiCGSTAB/)) bad = differs(a + 0, b + 0, 1.1 / (a + 1)) && a - b != 1 && b - a != 1
        if (bad) { print "differs: " $0; exit 1 }
      }
    } END { if (!NR) { print "nothing printed"; exit 1 } }'
}

# check GROUP LOGGED...: whether ovkrylov solves any system of the group: yes or no
check() {
  "${launch[@]}" "$program" "$1" >"$work/without"
  rm -f "$work/log"
  "${launch[@]}" env LD_PRELOAD="$library" OVK_LOG="$work/log" "$program" "$1" >"$work/with"
  printf '%s: %d lines\n' "$1" "$(wc -l <"$work/with")"
  same "$work/without" "$work/with"
  [ "$([ -s "$work/log" ] && echo yes || echo no)" = "$2" ] || { echo "$1: by ovkrylov should be $2"; exit 1; }
}

for group in all ends nested fortran; do check "$group" yes; done
for group in own hybrid struct; do check "$group" no; done

# The program cannot ask why nothing was solved. The norm of the residual is unknown.
"${launch[@]}" env LD_PRELOAD="$library" OVK_METHOD=cgg "$program" fortran >"$work/with" 2>"$work/errors" || true
grep -q "^libovkhypre_take: OVK_METHOD: unknown method 'cgg', did you mean 'cg'?" "$work/errors" ||
  { echo "no message of a method that does not exist:"; head "$work/errors"; exit 1; }
grep -q nan "$work/with" || { echo "a norm of a solve that was not made:"; cat "$work/with"; exit 1; }
