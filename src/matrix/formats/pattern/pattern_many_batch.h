/* SPDX-License-Identifier: BSD-2-Clause */
/* Some lanes of a block of columns, which is one long vector: for products of groups that share
 * entries. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_BATCH_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_BATCH_H

#include "core/base/lanes.h"
#include "matrix/formats/pattern/pattern_product.h"

#include <stddef.h>

/* Lanes of a batch, whose sums fit into registers; a <- 0; a <- a + b; a <- a + b c for a number b
 */
#ifdef OVK__WIDE_LANES
enum { BATCH = 4 };
OVK_ALWAYS_INLINE void lanes_zero(ovk__lanes *a)
{
  *a = (ovk__lanes){0};
}
OVK_ALWAYS_INLINE void lanes_plus(ovk__lanes *a, const ovk__lanes *b)
{
  *a += *b;
}
OVK_ALWAYS_INLINE void lanes_add_scaled(ovk__lanes *a, double b, const ovk__lanes *c)
{
  *a += b * *c;
}
#else
enum { BATCH = 2 };
OVK_ALWAYS_INLINE void lanes_zero(ovk__lanes *a)
{
  a->low = (ovk__half){0};
  a->high = (ovk__half){0};
}
OVK_ALWAYS_INLINE void lanes_plus(ovk__lanes *a, const ovk__lanes *b)
{
  a->low += b->low;
  a->high += b->high;
}
OVK_ALWAYS_INLINE void lanes_add_scaled(ovk__lanes *a, double b, const ovk__lanes *c)
{
  a->low += b * c->low;
  a->high += b * c->high;
}
#endif
enum { GROUP = OVK__GROUP, LANES = OVK__LANES, LONG = 2 * BATCH /* with one sum a row */ };

#define FOR_EACH_OF(n) _Pragma("GCC unroll 8") for (int j = 0; j < (n); j++)
#define FOR_EACH_IN_BATCH FOR_EACH_OF(BATCH)

/* y <- y + sum in the rows that have a bit, the first one for the first number */
OVK_ALWAYS_INLINE void shared_add_some(int w, uint32_t rows, const ovk__lanes *sum, ovk__lanes *y)
{
  double from[LANES], to[LANES];
  if (w == LANES) {
    if (rows & 1) lanes_plus(y, sum);
    return;
  }
  ovk__lanes_to_doubles(from, sum);
  ovk__lanes_to_doubles(to, y);
  for (int l = 0; l < LANES; l++) {
    if (rows >> (l / w) & 1) to[l] += from[l];
  }
  ovk__lanes_of_doubles(y, to);
}

/* The same for n of them. Loops over these are unrolled, so that they stay in registers. */
OVK_ALWAYS_INLINE void shared_add_where(int w, int n, uint32_t rows, const ovk__lanes *sum,
                                        ovk__lanes *y)
{
  const uint32_t all = (uint32_t)((UINT64_C(1) << (n * LANES / w)) - 1);
  if ((rows & all) == all) {
    FOR_EACH_OF(n) lanes_plus(&y[j], &sum[j]);
  } else {
    FOR_EACH_OF(n) shared_add_some(w, rows >> (LANES / w * j), &sum[j], &y[j]);
  }
}

/* sum <- sum + a x */
OVK_ALWAYS_INLINE void shared_add(double a, const ovk__lanes *x, ovk__lanes *sum)
{
  FOR_EACH_IN_BATCH lanes_add_scaled(&sum[j], a, &x[j]);
}

OVK_ALWAYS_INLINE void shared_load(int n, const double *from, ovk__lanes *x)
{
  FOR_EACH_OF(n) ovk__lanes_of_doubles(&x[j], from + (ptrdiff_t)j * LANES);
}

OVK_ALWAYS_INLINE void shared_store(int n, double *to, const ovk__lanes *x)
{
  FOR_EACH_OF(n) ovk__lanes_to_doubles(to + (ptrdiff_t)j * LANES, &x[j]);
}

#endif
