/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the period of the processor's counter by comparison with the system's clock. */
#include "core/base/tsc_clock.h"

#include <stdbool.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

/* Whether ticks have one length, on all cores and at every frequency. */
static bool is_steady(void)
{
#ifdef __x86_64__
  const unsigned POWER = 0x80000007, INVARIANT = 1 << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(POWER, &a, &b, &c, &d) && d & INVARIANT;
#else
  return ovk__counter_ticks() != 0;
#endif
}

/* A moment by both clocks. Of several readings, the one that took least: nothing came between. */
static void read_both(uint64_t *ticks, int64_t *ns)
{
  enum { TIMES = 5 };
  uint64_t least = UINT64_MAX;
  for (int k = 0; k < TIMES; k++) {
    const uint64_t before = ovk__counter_ticks();
    const int64_t now = ovk__clock_ns();
    const uint64_t took = ovk__counter_ticks() - before;
    if (took >= least) continue;
    least = took;
    *ticks = before + took / 2;
    *ns = now;
  }
}

void ovk__counter_start(ovk__counter *counter)
{
  enum { LONG_ENOUGH = 100000 }; /* ns, for a period that is right to 1e-3 */
  uint64_t ticks = 0, origin = 0;
  int64_t ns = 0, start = 0;
  *counter = (ovk__counter){0};
  if (!is_steady()) return;
  read_both(&origin, &start);
  while (ovk__clock_ns() - start < LONG_ENOUGH) continue;
  read_both(&ticks, &ns);
  if (ticks <= origin) return;
  *counter = (ovk__counter){origin, 1e-9 * (double)(ns - start) / (double)(ticks - origin)};
}
