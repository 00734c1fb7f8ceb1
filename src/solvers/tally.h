/* SPDX-License-Identifier: BSD-2-Clause */
/* Inner products to nearly the last bit, for where their rounding decides how long a method goes
 * on: plain sums over many rows lose digits, the more so where all terms are alike. A block of rows
 * is summed up as in lanes.h, and what rounding takes from the sum over blocks is kept (Knuth's
 * two-sum). */
#ifndef OVK_SOLVERS_TALLY_H
#define OVK_SOLVERS_TALLY_H

#include "core/clones.h"
#include "solvers/lanes.h"

typedef struct ovk__tally {
  double sum[LANES], rest[LANES];
} ovk__tally;

/* Adds (x, y), of a block of rows. */
OVK_KERNEL_PART void tally_dot(ovk_lidx n, const double *x, const double *y, ovk__tally *t)
{
  double part[LANES] = {0};
  add_dot(n, x, y, part);
  for (int l = 0; l < LANES; l++) {
    const double old = t->sum[l], sum = old + part[l], added = sum - old;
    t->rest[l] += (old - (sum - added)) + (part[l] - added);
    t->sum[l] = sum;
  }
}

/* The sum; NaN or Inf if a term was. */
OVK_KERNEL_PART double tally_sum(const ovk__tally *t)
{
  return sum_lanes(t->sum) + sum_lanes(t->rest);
}

#endif
