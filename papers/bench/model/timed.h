/* SPDX-License-Identifier: BSD-2-Clause */
/* Time of an iteration in a solve of the 27-point model problem, without start and end of the
 * solve. */
#ifndef OVK_TOOL_TIMED_H
#define OVK_TOOL_TIMED_H

#include "bench/support/testbed.h"

/* Checks that there is a solver for each of these methods. Collective. */
ovk_err timed_check(testbed *t, const words *methods, const char *backend);

/* *seconds <- the median, over windows of several iterations, of the mean time of an iteration on
 * the slowest rank: rare disturbances do not count, and a method may do several iterations at once.
 * *vectors <- the vectors of the method and x. Collective. */
ovk_err timed_solve(testbed *t, const char *method, const char *backend, double *seconds,
                    int *vectors);

#endif
