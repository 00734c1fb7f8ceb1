/* SPDX-License-Identifier: BSD-2-Clause */
/* What an iteration takes in a solve of the 27-point model problem, without its start and end. */
#ifndef OVK_TOOL_TIMED_H
#define OVK_TOOL_TIMED_H

#include "bench/testbed.h"

/* Is there a solver for each of these methods? Collective. */
ovk_err timed_check(testbed *t, const words *methods, const char *backend);

/* *seconds <- the median of what an iteration took on average in windows of some, of the slowest
 * rank; so that rare disturbances do not count, and a method may do several iterations at a time.
 * Collective. */
ovk_err timed_solve(testbed *t, const char *method, const char *backend, double *seconds);

#endif
