/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves once, or again and again for times that can be trusted. */
#ifndef OVK_TOOL_MEASURE_H
#define OVK_TOOL_MEASURE_H

#include "watch.h"

enum { MAX_REPEAT = 1000 };

/* Solves from x = 0, `repeat` times after a warm-up (0: once, with none). *result is that of the
 * last solve, but for its seconds: of each part, the median over the solves of the greatest of all
 * ranks. w is shown every solve, its history only the last one. Collective. */
ovk_err measure_solve(ovk_solver *solver, const ovk_vec *b, ovk_vec *x, int repeat, watch *w,
                      ovk_result *result);

#endif
