/* SPDX-License-Identifier: BSD-2-Clause */
/* Building blocks of sweeps with inner products. These are summed as LANES interleaved partial
 * sums: faster than one chain of additions, more accurate, and in a fixed order, so that results do
 * not depend on the compiler. */
#ifndef OVK_SOLVERS_KERNELS_LANES_H
#define OVK_SOLVERS_KERNELS_LANES_H

#include "core/base/lanes.h"

#include <ovkrylov/base.h>
#include <stddef.h>

/* A sweep with updates and sums processes BLOCK rows at a time, with a loop of its own for each
 * formula: compilers vectorise such loops well, and the rows stay in the L1 cache between them. */
enum { LANES = OVK__LANES, BLOCK = 16 * LANES };

/* Sums the lanes of one inner product pairwise. */
static double sum_lanes(const double lane[LANES])
{
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static inline ovk_lidx block_end(ovk_lidx from, ovk_lidx n)
{
  return BLOCK < n - from ? from + BLOCK : n;
}

/* Adds (x, y) to the lanes. */
OVK_ALWAYS_INLINE void add_dot(ovk_lidx n, const double *x, const double *y, double lane[LANES])
{
  ovk__lanes sum, a, b;
  ovk_lidx i = 0;
  ovk__lanes_of_doubles(&sum, lane);
  for (; i <= n - LANES; i += LANES) {
    ovk__lanes_of_doubles(&a, x + i);
    ovk__lanes_of_doubles(&b, y + i);
    ovk__lanes_add(&sum, &a, &b);
  }
  ovk__lanes_to_doubles(lane, &sum);
  for (int l = 0; i < n; i++, l++) lane[l] += x[i] * y[i];
}

/* Adds (r, D r) to the lanes, where D is d[i step] in row i. Here and below, step is 0 or 1 and a
 * compile-time constant, so that a constant D is kept in a register. */
static inline void add_scaled_dot(ovk_lidx n, const double *restrict d, ptrdiff_t step,
                                  const double *restrict r, double lane[LANES])
{
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) lane[l] += r[i + l] * (d[(i + l) * step] * r[i + l]);
  }
  for (int l = 0; i < n; i++, l++) lane[l] += r[i] * (d[i * step] * r[i]);
}

#endif
