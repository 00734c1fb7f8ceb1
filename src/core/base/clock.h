/* SPDX-License-Identifier: BSD-2-Clause */
/* The monotonic clock, which a thread may read that must not call MPI. */
#ifndef OVK_CORE_BASE_CLOCK_H
#define OVK_CORE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds. */
static inline int64_t ovk__clock_ns(void)
{
  struct timespec t = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Seconds. */
static inline double ovk__clock(void)
{
  return 1e-9 * (double)ovk__clock_ns();
}

#endif
