/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "sell". */
#include "matrix/formats/sell/sell_block.h"
#include "matrix/formats/sell/sell_runs.h"

#include <string.h>

/* y[i] <- n entries from k on times x */
OVK_ALWAYS_INLINE void row_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                 ovk_lidx i, const double *restrict x, double *restrict y)
{
  const ovk__row row = ovk__entries_row(e, near, k);
  y[i] = ovk__row_sum(&row, n, x);
}

/* A chunk of rows: a lane and a chain of additions each. x is prefetched where rows like these read
 * it first, in their last column. */
OVK_ALWAYS_INLINE void chunk_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                   const uint8_t *row, const double *restrict x, double *restrict y)
{
  ovk__four low = {0}, high = {0};
  double sum[OVK__CHUNK];
  for (ovk_lidx l = 0; l < n; l++, k += OVK__CHUNK) {
    const ovk__row entries = ovk__entries_row(e, near, k);
    ovk__row_ask(&entries, 0);
    ovk__row_add_four(&entries, 0, x, &low);
    ovk__row_add_four(&entries, 4, x, &high);
  }
  OVK_PREFETCH(x + ovk__entries_column(e, near, k - OVK__CHUNK) + OVK__ROWS_AHEAD);
  memcpy(sum, &low, sizeof low);
  memcpy(sum + 4, &high, sizeof high);
  for (int l = 0; l < OVK__CHUNK; l++) y[row[l]] = sum[l];
}

/* y <- 0 in the rows without entries: they are the first run of a window. */
OVK_ALWAYS_INLINE void clear_empty_rows(const ovk__windows *w, ovk_lidx window, double *restrict y)
{
  const ovk__sell_run run = w->runs[w->run[window]];
  const uint8_t *row = w->row + ovk__window_first(window);
  for (ovk_lidx r = 0; run.length == 0 && r < run.rows; r++) y[row[r]] = 0;
}

OVK_ALWAYS_INLINE double sweep(const ovk__sell *b, bool near, const double *restrict x,
                               double *restrict y, ovk_poll poll)
{
  const ovk__windows *w = &b->windows;
  double lane[OVK__LANES] = {0};
  ovk__pace pace = ovk__pace_start(poll);
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k);
    clear_empty_rows(w, k, y + first);
    ovk__window_times(w, &b->entries, near, k, chunk_times, row_times, x + b->origin[k], y + first,
                      &pace);
    ovk__lanes_add(lane, ovk__window_end(w, k) - first, x + first, y + first);
  }
  return ovk__lanes_sum(lane);
}

OVK_FOR_EACH_CPU
static double multiply(const ovk__sell *b, const double *restrict x, double *restrict y,
                       ovk_poll poll)
{
  return b->entries.near ? sweep(b, true, x, y, poll) : sweep(b, false, x, y, poll);
}

double ovk__sell_mult_dot(const void *block, const double *x, double *y, ovk_poll poll)
{
  return multiply(block, x, y, poll);
}
