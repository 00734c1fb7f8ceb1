/* SPDX-License-Identifier: BSD-2-Clause */
/* Both products read the entries in the order of windows. */
#define OVK__SINGLE
#include "matrix/formats/sell/sell_many_rows.h"
#include "matrix/formats/sell/sell_rectangle.h"
#include "matrix/formats/sell/sell_rows.h"

/* y <- y + x[i] times n entries from k on */
OVK_ALWAYS_INLINE void sell_rectangle_add_row(const ovk__entries *e, bool near, int64_t k,
                                              ovk_lidx n, ovk_lidx i, const double *restrict x,
                                              double *restrict y)
{
  const ovk__row row = ovk__entries_row(e, near, k);
  const double xi = x[i];
  ovk__row_prefetch(&row, 0);
  for (ovk_lidx l = 0; l < n; l++) y[ovk__row_column(&row, l)] += row.val[l] * xi;
}

/* y <- y + the entries k to k + 3, each times an element of x */
OVK_ALWAYS_INLINE void sell_rectangle_add_four(const ovk__row *r, ovk_lidx k, const ovk__four *x,
                                               double *restrict y)
{
  ovk_lidx c[4];
  ovk__row_columns(r, k, c);
#ifdef OVK_CLONES
  ovk__four val;
  ovk__four_of(&val, r->val + k);
  val *= *x;
  for (int l = 0; l < 4; l++) y[c[l]] += val[l];
#else
  for (int l = 0; l < 4; l++) y[c[l]] += r->val[k + l] * x->of[l];
#endif
}

/* A chunk of rows, of n entries each. y is prefetched as x is in ovk__sell_chunk_times(). */
OVK_ALWAYS_INLINE void sell_rectangle_add_chunk(const ovk__entries *e, bool near, int64_t k,
                                                ovk_lidx n, const uint8_t *row,
                                                const double *restrict x, double *restrict y)
{
  double of[OVK__SELL_CHUNK_HEIGHT];
  ovk__four low, high;
  for (int l = 0; l < OVK__SELL_CHUNK_HEIGHT; l++) of[l] = x[row[l]];
  memcpy(&low, of, sizeof low);
  memcpy(&high, of + 4, sizeof high);
  for (ovk_lidx l = 0; l < n; l++, k += OVK__SELL_CHUNK_HEIGHT) {
    const ovk__row entries = ovk__entries_row(e, near, k);
    ovk__row_prefetch(&entries, 0);
    sell_rectangle_add_four(&entries, 0, &low, y);
    sell_rectangle_add_four(&entries, 4, &high, y);
  }
  OVK_PREFETCH(y + ovk__entries_column(e, near, k - OVK__SELL_CHUNK_HEIGHT) + OVK__PREFETCH_ROWS);
}

OVK_ALWAYS_INLINE void sell_rectangle_sweep(const ovk__sell *A, bool near, bool transposed,
                                            const double *restrict x, double *restrict y,
                                            ovk_poll poll)
{
  const ovk__windows *w = &A->windows;
  ovk__pace pace = ovk__pace_start(poll);
  double sum[OVK__SORT_WINDOW] = {0};
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k), origin = A->origin[k];
    /* in the order of windows, not of rows, which hardware prefetchers do not follow */
    ovk__prefetch_rows((transposed ? x : y) + first, OVK__SORT_WINDOW);
    if (transposed) {
      ovk__window_times(w, &A->entries, near, k, sell_rectangle_add_chunk, sell_rectangle_add_row,
                        x + first, y + origin, &pace);
    } else {
      const ovk_lidx rows = ovk__window_end(w, k) - first;
      ovk__sell_clear_empty_rows(w, k, sum);
      ovk__window_times(w, &A->entries, near, k, ovk__sell_chunk_times, ovk__sell_row_times,
                        x + origin, sum, &pace);
      for (ovk_lidx i = 0; i < rows; i++) y[first + i] += sum[i];
    }
  }
}

/* The same as sell_rectangle_add_row() for blocks of w columns; entries are `step` apart. */
OVK_ALWAYS_INLINE void sell_rectangle_many_add(int w, const ovk__row *r, ovk_lidx k,
                                               const double *restrict x, double *restrict y)
{
  double *to = y + (ptrdiff_t)ovk__row_column(r, k) * w;
  ovk__columns sum;
  ovk__columns_load(w, &sum, to);
  ovk__columns_add_multiple(w, &sum, r->val[k], x);
  ovk__columns_store(w, to, &sum);
}

/* The rows of a run, with their numbers in `row`, and their entries from k on. */
OVK_ALWAYS_INLINE void sell_rectangle_many_run(int w, const ovk__entries *e, bool near, int64_t k,
                                               const ovk__sell_run *run, const uint8_t *row,
                                               const double *restrict x, double *restrict y)
{
  enum { HEIGHT = OVK__SELL_CHUNK_HEIGHT };
  const ovk_lidx in_chunks = ovk__run_in_chunks(run, HEIGHT);
  for (ovk_lidx r = 0, height; r < run->rows; r += height) {
    height = r < in_chunks ? HEIGHT : 1;
    for (ovk_lidx l = 0; l < run->length; l++, k += height) {
      const ovk__row entries = ovk__entries_row(e, near, k);
      for (ovk_lidx h = 0; h < height; h++) {
        sell_rectangle_many_add(w, &entries, h, x + (ptrdiff_t)row[r + h] * w, y);
      }
    }
  }
}

OVK_ALWAYS_INLINE void sell_rectangle_many_window(int w, const ovk__sell *A, bool near,
                                                  bool transposed, ovk_lidx k,
                                                  const double *restrict x, double *restrict y,
                                                  double *restrict sum)
{
  const ovk__windows *all = &A->windows;
  const ovk_lidx first = ovk__window_first(k);
  const ptrdiff_t origin = (ptrdiff_t)A->origin[k] * w, at = (ptrdiff_t)first * w;
  const uint8_t *row = all->row + first;
  const double *ahead = x + (ptrdiff_t)A->origin[k + 1 < all->n ? k + 1 : k] * w;
  int64_t entry = all->entry[k];
  for (ovk_lidx r = all->run[k]; r < all->run[k + 1]; r++) {
    const ovk__sell_run *run = &all->runs[r];
    if (transposed) {
      sell_rectangle_many_run(w, &A->entries, near, entry, run, row, x + at, y + origin);
    } else {
      ovk__sell_many_run(w, &A->entries, near, entry, run, row, ahead, x + origin, sum);
    }
    row += run->rows;
    entry += (int64_t)run->rows * run->length;
  }
  if (transposed) return;
  const ptrdiff_t n = (ptrdiff_t)(ovk__window_end(all, k) - first) * w;
  for (ptrdiff_t i = 0; i < n; i++) y[at + i] += sum[i];
}

OVK_FOR_EACH_CPU
static void sell_rectangle_one(const ovk__sell *A, bool transposed, const double *x, double *y,
                               ovk_poll poll)
{
  const bool near = A->entries.near != NULL;
  if (transposed) {
    if (near) {
      sell_rectangle_sweep(A, true, true, x, y, poll);
    } else {
      sell_rectangle_sweep(A, false, true, x, y, poll);
    }
  } else if (near) {
    sell_rectangle_sweep(A, true, false, x, y, poll);
  } else {
    sell_rectangle_sweep(A, false, false, x, y, poll);
  }
}

OVK_FOR_EACH_CPU
static void sell_rectangle_many(const ovk__sell *A, int width, bool transposed, ovk_lidx k,
                                const double *x, double *y, double *sum)
{
  const bool near = A->entries.near != NULL;
  OVK__FOR_WIDTH(width, sell_rectangle_many_window, A, near, transposed, k, x, y, sum);
}

static void sell_rectangle_times(const ovk__sell *A, int width, bool transposed, const double *x,
                                 double *y, ovk_poll poll)
{
  ovk__pace pace = ovk__pace_start(poll);
  double sum[8 * OVK__SORT_WINDOW] = {0};
  if (width == 1) {
    sell_rectangle_one(A, transposed, x, y, poll);
    return;
  }
  for (ovk_lidx k = 0; k < A->windows.n; k++) {
    sell_rectangle_many(A, width, transposed, k, x, y, sum);
    ovk__pace_done(&pace, ovk__window_end(&A->windows, k) - ovk__window_first(k));
  }
}

void ovk__sell_rectangle_add(const ovk__sell *A, int width, const double *x, double *y,
                             ovk_poll poll)
{
  sell_rectangle_times(A, width, false, x, y, poll);
}

void ovk__sell_rectangle_add_transpose(const ovk__sell *A, int width, const double *x, double *y,
                                       ovk_poll poll)
{
  sell_rectangle_times(A, width, true, x, y, poll);
}
