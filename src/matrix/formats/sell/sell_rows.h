/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of "sell" for a row and a chunk of rows. See value.h. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_ROWS_H
#define OVK_MATRIX_FORMATS_SELL_SELL_ROWS_H

#include "matrix/formats/sell/sell_runs.h"

#include <string.h>

/* y[i] <- n entries from k on times x */
OVK_ALWAYS_INLINE void ovk__sell_row_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                           ovk_lidx i, const double *restrict x, double *restrict y)
{
  const ovk__row row = ovk__entries_row(e, near, k);
  y[i] = ovk__row_sum(&row, n, x);
}

/* A chunk of rows: a lane and a chain of additions each. x is prefetched where rows like these read
 * it first, in their last column. */
OVK_ALWAYS_INLINE void ovk__sell_chunk_times(const ovk__entries *e, bool near, int64_t k,
                                             ovk_lidx n, const uint8_t *row,
                                             const double *restrict x, double *restrict y)
{
  ovk__four low = {0}, high = {0};
  double sum[OVK__SELL_CHUNK_HEIGHT];
  for (ovk_lidx l = 0; l < n; l++, k += OVK__SELL_CHUNK_HEIGHT) {
    const ovk__row entries = ovk__entries_row(e, near, k);
    ovk__row_prefetch(&entries, 0);
    ovk__row_add_four(&entries, 0, x, &low);
    ovk__row_add_four(&entries, 4, x, &high);
  }
  OVK_PREFETCH(x + ovk__entries_column(e, near, k - OVK__SELL_CHUNK_HEIGHT) + OVK__PREFETCH_ROWS);
  memcpy(sum, &low, sizeof low);
  memcpy(sum + 4, &high, sizeof high);
  for (int l = 0; l < OVK__SELL_CHUNK_HEIGHT; l++) y[row[l]] = sum[l];
}

/* y <- 0 in the rows without entries: they are the first run of a window. */
OVK_ALWAYS_INLINE void ovk__sell_clear_empty_rows(const ovk__windows *w, ovk_lidx window,
                                                  double *restrict y)
{
  const ovk__sell_run run = w->runs[w->run[window]];
  const uint8_t *row = w->row + ovk__window_first(window);
  for (ovk_lidx r = 0; run.length == 0 && r < run.rows; r++) y[row[r]] = 0;
}

#endif
