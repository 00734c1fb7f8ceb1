/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock that delays are counted on: MPI's may go at another pace, and tests would then see
 * what is a latency long end some nanoseconds early. */
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

#endif
