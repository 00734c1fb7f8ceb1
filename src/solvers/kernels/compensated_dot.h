/* SPDX-License-Identifier: BSD-2-Clause */
/* Compensated inner products, accurate to nearly the last bit, for methods whose attainable
 * accuracy depends on their rounding: plain sums over many rows lose digits, most of all if the
 * terms are similar. A block of rows is summed as in lanes.h; the rounding error of the sum over
 * blocks is accumulated separately (Knuth's two-sum). */
#ifndef OVK_SOLVERS_KERNELS_COMPENSATED_DOT_H
#define OVK_SOLVERS_KERNELS_COMPENSATED_DOT_H

#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/lanes.h"

typedef struct ovk__compensated {
  double sum[LANES], rest[LANES];
} ovk__compensated;

/* Adds (x, y) of a block of rows. */
OVK_ALWAYS_INLINE void compensated_dot(ovk_lidx n, const double *x, const double *y,
                                       ovk__compensated *t)
{
  double lane[LANES] = {0};
  ovk__lanes_dot(n, x, y, lane);
  for (int l = 0; l < LANES; l++) {
    const double old = t->sum[l], sum = old + lane[l], added = sum - old;
    t->rest[l] += (old - (sum - added)) + (lane[l] - added);
    t->sum[l] = sum;
  }
}

/* The sum; NaN or Inf if a term was. */
OVK_ALWAYS_INLINE double compensated_sum(const ovk__compensated *t)
{
  return ovk__lanes_total(t->sum) + ovk__lanes_total(t->rest);
}

#endif
