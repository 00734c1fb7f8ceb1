/* SPDX-License-Identifier: BSD-2-Clause */
/* Building blocks of sweeps with inner products, which are summed in lanes: ovk__lanes_dot(). */
#ifndef OVK_SOLVERS_KERNELS_LANES_H
#define OVK_SOLVERS_KERNELS_LANES_H

#include "core/base/lanes.h"

#include <ovkrylov/base.h>
#include <stddef.h>

/* A sweep with updates and sums processes BLOCK rows at a time, with a separate loop for each
 * formula: compilers vectorise such loops well, and the rows stay in the L1 cache between them. */
enum { LANES = OVK__LANES, BLOCK = 16 * LANES };

static inline ovk_lidx block_end(ovk_lidx from, ovk_lidx n)
{
  return BLOCK < n - from ? from + BLOCK : n;
}

/* Adds (r, D r) to the lanes, where D is d[i step] in row i. Here and below, step is 0 or 1 and a
 * compile-time constant, so that a constant D is kept in a register. */
OVK_ALWAYS_INLINE void add_scaled_dot(ovk_lidx n, const double *restrict d, ptrdiff_t step,
                                      const double *restrict r, double lane[LANES])
{
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) lane[l] += r[i + l] * (d[(i + l) * step] * r[i + l]);
  }
  OVK_REST
  for (int l = 0; i < n; i++, l++) lane[l] += r[i] * (d[i * step] * r[i]);
}

#endif
