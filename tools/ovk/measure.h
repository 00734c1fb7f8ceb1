/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves once, or repeatedly for reliable times. */
#ifndef OVK_TOOL_MEASURE_H
#define OVK_TOOL_MEASURE_H

#include "progress_line.h"

enum { MAX_REPEAT = 1000 };

/* Solves from x = 0. */
typedef ovk_err (*solve_fn)(void *self, ovk_result *result);

/* Calls solve(self), `repeat` times after a warm-up (0: once, without a warm-up). *result is that
 * of the last solve except for its seconds: for each of them, the median over the solves of the
 * maximum over the ranks. w monitors every solve, its history and its record only the last one.
 * Collective. */
ovk_err measure_solve(ovk_ctx *ctx, solve_fn solve, void *self, int repeat, watch *w,
                      ovk_result *result);

#endif
