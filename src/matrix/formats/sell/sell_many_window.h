/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a window of "sell" times a block of columns. See value.h. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_MANY_WINDOW_H
#define OVK_MATRIX_FORMATS_SELL_SELL_MANY_WINDOW_H

#include "matrix/formats/sell/sell_block.h"
#include "matrix/formats/sell/sell_many_rows.h"

/* The first row of x that is new in the window after k. That is as far after the window as the
 * lowest column of window k is before it: most matrices have symmetric patterns. So each row of x
 * is prefetched once, even if few rows of A have an entry there. */
OVK_ALWAYS_INLINE ptrdiff_t sell_many_next(const ovk__sell *b, ovk_lidx k)
{
  const ptrdiff_t first = ovk__window_first(k);
  return 2 * first - b->origin[k] + OVK__SORT_WINDOW;
}

/* Window k; sum <- sum + (x, y) of its rows */
OVK_ALWAYS_INLINE void sell_many_window_rows(int w, const ovk__sell *b, bool near, ovk_lidx k,
                                             const double *restrict x, double *restrict y,
                                             double *restrict sum)
{
  const ovk__windows *all = &b->windows;
  const ovk_lidx first = ovk__window_first(k), end = ovk__window_end(all, k);
  const uint8_t *row = all->row + first;
  const double *ahead = x + sell_many_next(b, k) * w;
  int64_t at = all->entry[k];
  for (ovk_lidx r = all->run[k]; r < all->run[k + 1]; r++) {
    const ovk__sell_run *run = &all->runs[r];
    ovk__sell_many_run(w, &b->entries, near, at, run, row, ahead, x + (ptrdiff_t)b->origin[k] * w,
                       y + (ptrdiff_t)first * w);
    row += run->rows;
    at += (int64_t)run->rows * run->length;
  }
  ovk__columns_dot(w, OVK__LANES, end - first, x + (ptrdiff_t)first * w, y + (ptrdiff_t)first * w,
                   sum);
}

/* The same for columns of either type. */
OVK_ALWAYS_INLINE void sell_many_window_of(int w, const ovk__sell *b, ovk_lidx k, const double *x,
                                           double *y, double *sum)
{
  if (b->entries.near) {
    sell_many_window_rows(w, b, true, k, x, y, sum);
  } else {
    sell_many_window_rows(w, b, false, k, x, y, sum);
  }
}

/* The same for blocks of 8 columns and processors with vectors of eight. */
void ovk__sell_many_window_wide(const ovk__sell *b, ovk_lidx k, const double *x, double *y,
                                double *sum);
void ovk__sell_many_window_wide_float(const ovk__sell *b, ovk_lidx k, const double *x, double *y,
                                      double *sum);

#endif
