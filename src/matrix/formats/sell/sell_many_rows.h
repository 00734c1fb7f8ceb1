/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a run times a block of columns. See value.h. Sums are made in the order of
 * sell_rows.h: a row of a chunk has one chain of additions. Four rows are multiplied side by side.
 */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_MANY_ROWS_H
#define OVK_MATRIX_FORMATS_SELL_SELL_MANY_ROWS_H

#include "matrix/formats/row_many.h"
#include "matrix/formats/sell/sell_entries.h"

/* Rows h to h + 3 of a chunk, of n entries each, from k on. A row prefetches its row of `ahead`. */
OVK_ALWAYS_INLINE void sell_many_four(int w, const ovk__entries *e, bool near, int64_t k,
                                      ovk_lidx n, int h, const uint8_t *row, const double *ahead,
                                      const double *restrict x, double *restrict y)
{
  ovk__columns a, b, c, d;
  ovk__columns_zero(w, &a);
  ovk__columns_zero(w, &b);
  ovk__columns_zero(w, &c);
  ovk__columns_zero(w, &d);
  for (ovk_lidx l = 0; l < n; l++, k += OVK__SELL_CHUNK_HEIGHT) {
    const ovk__row entries = ovk__entries_row(e, near, k);
    if (h == 0) ovk__row_prefetch(&entries, 0);
    ovk__row_many_add(w, &entries, h, x, &a);
    ovk__row_many_add(w, &entries, h + 1, x, &b);
    ovk__row_many_add(w, &entries, h + 2, x, &c);
    ovk__row_many_add(w, &entries, h + 3, x, &d);
  }
  for (int l = h; l < h + 4; l++) OVK_PREFETCH(ahead + (ptrdiff_t)row[l] * w);
  ovk__columns_store(w, y + (ptrdiff_t)row[h] * w, &a);
  ovk__columns_store(w, y + (ptrdiff_t)row[h + 1] * w, &b);
  ovk__columns_store(w, y + (ptrdiff_t)row[h + 2] * w, &c);
  ovk__columns_store(w, y + (ptrdiff_t)row[h + 3] * w, &d);
}

/* The rows of a run, with their numbers in `row`, and their entries from k on. `ahead` is where x
 * is prefetched for the next window. */
OVK_ALWAYS_INLINE void ovk__sell_many_run(int w, const ovk__entries *e, bool near, int64_t k,
                                          const ovk__sell_run *run, const uint8_t *row,
                                          const double *ahead, const double *restrict x,
                                          double *restrict y)
{
  enum { HEIGHT = OVK__SELL_CHUNK_HEIGHT };
  const ovk_lidx n = run->length, in_chunks = n > 0 ? ovk__run_in_chunks(run, HEIGHT) : 0;
  ovk_lidx r = 0;
  for (; r < in_chunks; r += HEIGHT, k += (int64_t)HEIGHT * n) {
    sell_many_four(w, e, near, k, n, 0, row + r, ahead, x, y);
    sell_many_four(w, e, near, k, n, 4, row + r, ahead, x, y);
  }
  for (; r < run->rows; r++, k += n) {
    ovk__columns sum;
    const ovk__row entries = ovk__entries_row(e, near, k);
    OVK_PREFETCH(ahead + (ptrdiff_t)row[r] * w);
    ovk__row_many(w, &entries, n, n - n % 4, x, &sum);
    ovk__columns_store(w, y + (ptrdiff_t)row[r] * w, &sum);
  }
}

#endif
