/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of entries times a block of columns: the sums of row_sum.h, one column in each lane. The
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

#ifndef OVK__SINGLE
/* *sum <- row i of A times x */
OVK_ALWAYS_INLINE void ovk__csr_many_row(int w, const ovk__csr *A, ovk_lidx i,
                                         const double *restrict x, ovk__columns *sum)
{
  const ovk__row row = {A->val + A->ptr[i], NULL, A->col + A->ptr[i], false};
  const ovk_lidx n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
  ovk__row_many(w, &row, n, n < 8 ? 0 : n - n % 4, x, sum);
}

/* y <- A x for rows `from` to `to` - 1; dots <- dots + (x, y) of these rows */
OVK_ALWAYS_INLINE void ovk__csr_many_rows_of(int w, const ovk__csr *A, ovk_lidx from, ovk_lidx to,
                                             const double *restrict x, double *restrict y,
                                             double *restrict dots)
{
  ovk__columns dot, sum, own;
  ovk__columns_load(w, &dot, dots);
  for (ovk_lidx i = from; i < to; i++) {
    ovk__csr_many_row(w, A, i, x, &sum);
    ovk__columns_store(w, y + (ptrdiff_t)i * w, &sum);
    ovk__columns_load(w, &own, x + (ptrdiff_t)i * w);
    ovk__columns_add_product(w, &dot, &own, &sum);
  }
  ovk__columns_store(w, dots, &dot);
}

/* The same for blocks of 8 columns and processors with vectors of eight. */
void ovk__csr_many_rows_wide(const ovk__csr *A, ovk_lidx from, ovk_lidx to, const double *x,
                             double *y, double *dots);
#endif

#endif
