/* SPDX-License-Identifier: BSD-2-Clause */
/* Sleeping, and the clock that delays use. The clock of MPI may run at a slightly different rate,
 * and a latency could then appear some nanoseconds too short. */
#ifndef OVK_TEST_CLOCK_H
#define OVK_TEST_CLOCK_H

#include <time.h>

/* Seconds. */
static inline double clock_now(void)
{
  struct timespec t = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void sleep_for(double seconds)
{
  const long whole = (long)seconds;
  nanosleep(&(struct timespec){whole, (long)(1e9 * (seconds - (double)whole))}, NULL);
}

#endif
