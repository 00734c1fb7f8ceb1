/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of the event log. Reading the system's clock takes 20 to 30 ns, which is felt where an
 * iteration takes some microseconds; the processor's own counter of time takes less than half. */
#ifndef OVK_CORE_BASE_TSC_CLOCK_H
#define OVK_CORE_BASE_TSC_CLOCK_H

#include "core/base/clock.h"

/* A counter that has been started. Zeroed: the system's clock is read. */
typedef struct ovk__counter {
  uint64_t origin;
  double period; /* seconds of a tick; 0: this processor has no counter that can be used */
} ovk__counter;

/* Measures the period, which takes 0.1 ms. */
void ovk__counter_start(ovk__counter *counter);

/* Ticks of the processor's counter; 0 where none is known. */
static inline uint64_t ovk__counter_ticks(void)
{
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#elif defined __aarch64__
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

/* Seconds since some moment, the same for all calls with this counter. */
static inline double ovk__counter_seconds(const ovk__counter *c)
{
  if (c->period == 0) return ovk__clock();
  return (double)(int64_t)(ovk__counter_ticks() - c->origin) * c->period;
}

#endif
