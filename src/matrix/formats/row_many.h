/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of entries times a block of columns: the sums of row_sum.h, one column in each lane. The
 * values of x that an entry needs are side by side. */
#ifndef OVK_MATRIX_FORMATS_ROW_MANY_H
#define OVK_MATRIX_FORMATS_ROW_MANY_H

#include "core/base/columns.h"
#include "matrix/formats/row_sum.h"

#include <stddef.h>

/* sum <- sum + entry k times x */
OVK_ALWAYS_INLINE void ovk__row_many_add(int w, const ovk__row *r, ovk_lidx k,
                                         const double *restrict x, ovk__columns *sum)
{
  ovk__columns_add_multiple(w, sum, r->val[k], x + (ptrdiff_t)ovk__row_column(r, k) * w);
}

/* *sum <- the sum of the n entries times x: the first `fours` entries, a multiple of 4, in four
 * sums, the others in one. */
OVK_ALWAYS_INLINE void ovk__row_many(int w, const ovk__row *r, ovk_lidx n, ovk_lidx fours,
                                     const double *restrict x, ovk__columns *sum)
{
  ovk__columns a, b, c, d;
  ovk__columns_zero(w, sum);
  ovk__row_prefetch(r, 0);
  for (ovk_lidx k = fours; k < n; k++) ovk__row_many_add(w, r, k, x, sum);
  if (!fours) return;
  ovk__columns_zero(w, &a);
  ovk__columns_zero(w, &b);
  ovk__columns_zero(w, &c);
  ovk__columns_zero(w, &d);
  for (ovk_lidx k = 0; k < fours; k += 4) {
    if (k % 8 == 4) ovk__row_prefetch(r, k + 4);
    ovk__row_many_add(w, r, k, x, &a);
    ovk__row_many_add(w, r, k + 1, x, &b);
    ovk__row_many_add(w, r, k + 2, x, &c);
    ovk__row_many_add(w, r, k + 3, x, &d);
  }
  ovk__columns_add(w, &a, &b);
  ovk__columns_add(w, &c, &d);
  ovk__columns_add(w, &a, &c);
  ovk__columns_add(w, sum, &a); /* the order of two makes no difference */
}

#endif
