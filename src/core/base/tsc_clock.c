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

enum { READINGS = 4096 };

void ovk__counter_start(ovk__counter *counter)
{
  *counter = (ovk__counter){.wait = READINGS};
  read_both(&counter->origin, &counter->start);
}

/* Not before the period is right to 1e-4. */
static void measure(ovk__counter *c)
{
  const int64_t LONG_ENOUGH = 1000000; /* ns */
  uint64_t ticks = 0;
  int64_t ns = 0;
  if (ovk__clock_ns() - c->start < LONG_ENOUGH) {
    c->wait = READINGS;
  } else if (is_steady()) {
    read_both(&ticks, &ns);
    if (ticks > c->origin) c->period = 1e-9 * (double)(ns - c->start) / (double)(ticks - c->origin);
  }
}

double ovk__counter_wait(ovk__counter *counter)
{
  if (counter->wait > 0 && --counter->wait == 0) measure(counter);
  return 1e-9 * (double)(ovk__clock_ns() - counter->start);
}
