/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of the event log. Reading the system's clock takes 20 to 30 ns, which is felt where an
 * iteration takes some microseconds; the processor's own counter of time takes less than half. */
#ifndef OVK_CORE_BASE_TSC_CLOCK_H
#define OVK_CORE_BASE_TSC_CLOCK_H

#include "core/base/clock.h"

/* A counter that has been started. Zeroed: the system's clock is read. */
typedef struct ovk__counter {
  uint64_t origin; /* ticks at the start */
  int64_t start;   /* nanoseconds of the system's clock at the start */
  double period;   /* seconds of a tick; 0: not measured, the system's clock is read */
  int64_t wait;    /* readings until the period is measured; 0: it will not be */
} ovk__counter;

/* The period is measured after some thousand readings: to ask the processor whether its counter can
 * be used takes as long as that, where the processor is emulated. */
void ovk__counter_start(ovk__counter *counter);

/* Reads the system's clock, and measures the period when it is time for that. */
double ovk__counter_wait(ovk__counter *counter);

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
static inline double ovk__counter_seconds(ovk__counter *c)
{
  if (c->period == 0) return ovk__counter_wait(c);
  return (double)(int64_t)(ovk__counter_ticks() - c->origin) * c->period;
}

#endif
