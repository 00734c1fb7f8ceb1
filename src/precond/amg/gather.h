/* SPDX-License-Identifier: BSD-2-Clause */
/* Coarse levels on fewer ranks: a level of few rows costs its messages, not its arithmetic. */
#ifndef OVK_PRECOND_AMG_GATHER_H
#define OVK_PRECOND_AMG_GATHER_H

#include "matrix/layout/layout.h"

/* The stride of a level of `rows` rows for `size` ranks: a multiple of that of the level before, so
 * large that the ranks have `least` rows on average. Not collective. */
int ovk__amg_gather_stride(int size, int before, ovk_gidx rows, int least);

/* *coarse <- its points on fewer ranks where the ranks would have less than `least` rows on
 * average; 0: as it is. A point has `rows` rows. The order of points stays. *stride <- that of the
 * coarse level, from that of the level before: only ranks 0, *stride, 2 *stride, ... have rows.
 * Collective; errors are agreed. */
ovk_err ovk__amg_gather(ovk_ctx *ctx, int least, int rows, ovk__layout *coarse, int *stride);

#endif
