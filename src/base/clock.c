/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads CLOCK_MONOTONIC. */
#include "base/clock.h"

#include <time.h>

int64_t ovk__clock_ns(void)
{
  struct timespec t = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

double ovk__clock(void)
{
  return 1e-9 * (double)ovk__clock_ns();
}
