/* SPDX-License-Identifier: BSD-2-Clause */
/* The products of "sell" with values in double: plain, of several columns, and in order. */
#include "matrix/formats/sell/sell_mult.inc"
#include "matrix/formats/sell/sell_many.inc"

/* A row in the order of order/whole_rows.h: n entries, `step` apart; the first `below` are in
 * columns below the row. */
OVK_ALWAYS_INLINE double sell_order_row(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                        ovk_lidx step, ovk_lidx below, const double *restrict x)
{
  double low = 0, high = 0;
  for (ovk_lidx l = 0; l < below; l++) {
    const int64_t at = k + (int64_t)l * step;
    low += e->val[at] * x[ovk__entries_column(e, near, at)];
  }
  for (ovk_lidx l = n - 1; l >= below; l--) {
    const int64_t at = k + (int64_t)l * step;
    high += e->val[at] * x[ovk__entries_column(e, near, at)];
  }
  return low + high;
}

/* How many of these entries are in columns below `own`; `guess` is that number, if it is right. */
OVK_ALWAYS_INLINE ovk_lidx sell_below(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                      ovk_lidx step, ovk_lidx own, ovk_lidx guess)
{
  ovk_lidx l = guess < n ? guess : n;
  while (l > 0 && ovk__entries_column(e, near, k + (int64_t)(l - 1) * step) >= own) l--;
  while (l < n && ovk__entries_column(e, near, k + (int64_t)l * step) < own) l++;
  return l;
}

/* A chunk of rows that all have `below` entries below the row: a lane and two chains each. */
OVK_ALWAYS_INLINE void sell_order_chunk(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                                        ovk_lidx below, const uint8_t *row,
                                        const double *restrict x, double *restrict y)
{
  enum { HEIGHT = OVK__SELL_CHUNK_HEIGHT, HALF = HEIGHT / 2 };
  const ovk__four zero = {0};
  ovk__four low[2] = {zero, zero}, high[2] = {zero, zero};
  double below_sum[HEIGHT], above_sum[HEIGHT];
  for (ovk_lidx l = 0; l < below; l++) {
    const ovk__row entries = ovk__entries_row(e, near, k + (int64_t)l * HEIGHT);
    ovk__row_prefetch(&entries, 0);
    for (int h = 0; h < 2; h++) ovk__row_add_four(&entries, h * HALF, x, &low[h]);
  }
  for (ovk_lidx l = n - 1; l >= below; l--) { /* prefetched upward */
    const ovk__row entries = ovk__entries_row(e, near, k + (int64_t)l * HEIGHT);
    ovk__row_prefetch(&entries, (n - 1 - l + below - l) * HEIGHT);
    for (int h = 0; h < 2; h++) ovk__row_add_four(&entries, h * HALF, x, &high[h]);
  }
  memcpy(below_sum, low, sizeof low);
  memcpy(above_sum, high, sizeof high);
  for (int l = 0; l < HEIGHT; l++) y[row[l]] = below_sum[l] + above_sum[l];
}

/* The rows of a run from entry k on; their columns are counted from `shift` before their window's
 * first row. *below: see sell_below(). */
OVK_ALWAYS_INLINE void sell_order_run(const ovk__entries *e, bool near, int64_t k,
                                      const ovk__sell_run *run, const uint8_t *row, ovk_lidx shift,
                                      ovk_lidx *below, const double *restrict x, double *restrict y)
{
  enum { HEIGHT = OVK__SELL_CHUNK_HEIGHT };
  const ovk_lidx n = run->length, in_chunks = ovk__run_in_chunks(run, HEIGHT);
  for (ovk_lidx r = 0; r < in_chunks; r += HEIGHT, k += (int64_t)HEIGHT * n) {
    ovk_lidx each[HEIGHT];
    bool same = true;
    for (int l = 0; l < HEIGHT; l++) {
      each[l] = sell_below(e, near, k + l, n, HEIGHT, row[r + l] + shift, *below);
      *below = each[l];
      same = same && each[l] == each[0];
    }
    if (same) {
      sell_order_chunk(e, near, k, n, each[0], row + r, x, y);
    } else {
      for (int l = 0; l < HEIGHT; l++) {
        y[row[r + l]] = sell_order_row(e, near, k + l, n, HEIGHT, each[l], x);
      }
    }
  }
  for (ovk_lidx r = in_chunks; r < run->rows; r++, k += n) {
    *below = sell_below(e, near, k, n, 1, row[r] + shift, *below);
    y[row[r]] = sell_order_row(e, near, k, n, 1, *below, x);
  }
}

OVK_ALWAYS_INLINE void sell_order_windows(const ovk__sell *b, bool near, const double *restrict x,
                                          double *restrict y, ovk_poll poll,
                                          const ovk__finish *finish)
{
  const ovk__windows *w = &b->windows;
  ovk__pace pace = ovk__pace_start(poll);
  ovk_lidx below = 0;
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k), end = ovk__window_end(w, k);
    const uint8_t *row = w->row + first;
    int64_t entry = w->entry[k];
    for (ovk_lidx r = w->run[k]; r < w->run[k + 1]; r++) {
      const ovk__sell_run *run = w->runs + r;
      sell_order_run(&b->entries, near, entry, run, row, first - b->origin[k], &below,
                     x + b->origin[k], y + first);
      row += run->rows;
      entry += (int64_t)run->rows * run->length;
    }
    ovk__finish_rows(finish, first, end, y);
    ovk__pace_done(&pace, end - first);
  }
}

OVK_FOR_EACH_CPU
static void sell_multiply_ordered(const void *block, const double *x, double *y, ovk_poll poll,
                                  const ovk__finish *finish)
{
  const ovk__sell *b = block;
  if (b->entries.near) {
    sell_order_windows(b, true, x, y, poll, finish);
  } else {
    sell_order_windows(b, false, x, y, poll, finish);
  }
}

const ovk__products ovk__sell_products = {
    .dot = sell_multiply,
    .ordered = sell_multiply_ordered,
    .many = sell_multiply_many,
};
