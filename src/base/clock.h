/* SPDX-License-Identifier: BSD-2-Clause */
/* The monotonic clock, which a thread may read that must not call MPI. */
#ifndef OVK_BASE_CLOCK_H
#define OVK_BASE_CLOCK_H

#include <stdint.h>

int64_t ovk__clock_ns(void); /* nanoseconds */
double ovk__clock(void);     /* seconds */

#endif
