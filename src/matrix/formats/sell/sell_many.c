/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of "sell" with blocks of columns. Sums are made in the order of sell_mult.inc: a row
 * of a chunk has one chain of additions. Four rows are multiplied side by side. */
#include "matrix/formats/row_many.h"
#include "matrix/formats/sell/sell_block.h"

/* Rows h to h + 3 of a chunk, of n entries each, from k on. */
OVK_ALWAYS_INLINE void sell_many_four(int w, const ovk__entries *e, bool near, int64_t k,
                                      ovk_lidx n, int h, const uint8_t *row,
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
  ovk__columns_store(w, y + row[h] * w, &a);
  ovk__columns_store(w, y + row[h + 1] * w, &b);
  ovk__columns_store(w, y + row[h + 2] * w, &c);
  ovk__columns_store(w, y + row[h + 3] * w, &d);
}

/* The rows of a run, with their numbers in `row`, and their entries from k on. */
OVK_ALWAYS_INLINE void sell_many_run(int w, const ovk__entries *e, bool near, int64_t k,
                                     const ovk__sell_run *run, const uint8_t *row,
                                     const double *restrict x, double *restrict y)
{
  enum { HEIGHT = OVK__SELL_CHUNK_HEIGHT };
  const ovk_lidx n = run->length, in_chunks = n > 0 ? ovk__run_in_chunks(run, HEIGHT) : 0;
  ovk_lidx r = 0;
  for (; r < in_chunks; r += HEIGHT, k += (int64_t)HEIGHT * n) {
    sell_many_four(w, e, near, k, n, 0, row + r, x, y);
    sell_many_four(w, e, near, k, n, 4, row + r, x, y);
  }
  for (; r < run->rows; r++, k += n) {
    ovk__columns sum;
    const ovk__row entries = ovk__entries_row(e, near, k);
    ovk__row_many(w, &entries, n, n - n % 4, x, &sum);
    ovk__columns_store(w, y + row[r] * w, &sum);
  }
}

/* Window k; dots <- dots + (x, y) of its rows */
OVK_ALWAYS_INLINE void sell_many_window_of(int w, const ovk__sell *b, bool near, ovk_lidx k,
                                           const double *restrict x, double *restrict y,
                                           double *restrict dots)
{
  const ovk__windows *all = &b->windows;
  const ovk_lidx first = ovk__window_first(k), end = ovk__window_end(all, k);
  const uint8_t *row = all->row + first;
  int64_t at = all->entry[k];
  ovk__columns dot, from, to;
  for (ovk_lidx r = all->run[k]; r < all->run[k + 1]; r++) {
    const ovk__sell_run *run = &all->runs[r];
    sell_many_run(w, &b->entries, near, at, run, row, x + (ptrdiff_t)b->origin[k] * w,
                  y + (ptrdiff_t)first * w);
    row += run->rows;
    at += (int64_t)run->rows * run->length;
  }
  ovk__columns_load(w, &dot, dots);
  for (ovk_lidx i = first; i < end; i++) {
    ovk__columns_load(w, &from, x + (ptrdiff_t)i * w);
    ovk__columns_load(w, &to, y + (ptrdiff_t)i * w);
    ovk__columns_add_product(w, &dot, &from, &to);
  }
  ovk__columns_store(w, dots, &dot);
}

OVK_FOR_EACH_CPU
static void sell_many_window(int width, const ovk__sell *b, ovk_lidx k, const double *x, double *y,
                             double *dots)
{
  if (b->entries.near) {
    OVK__FOR_WIDTH(width, sell_many_window_of, b, true, k, x, y, dots);
  } else {
    OVK__FOR_WIDTH(width, sell_many_window_of, b, false, k, x, y, dots);
  }
}

void ovk__sell_mult_many(const void *block, int width, const double *x, double *y, ovk_poll poll,
                         const ovk__finish *finish, double *dots)
{
  const ovk__sell *b = block;
  ovk__pace pace = ovk__pace_start(poll);
  for (int c = 0; c < width; c++) dots[c] = 0;
  for (ovk_lidx k = 0; k < b->windows.n; k++) {
    const ovk_lidx first = ovk__window_first(k), end = ovk__window_end(&b->windows, k);
    sell_many_window(width, b, k, x, y, dots);
    ovk__finish_block(finish, width, first, end, y);
    ovk__pace_done(&pace, end - first);
  }
}
