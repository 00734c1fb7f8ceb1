/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops over a window's rows in products of "sell" and "sym", which each have a kernel for a
 * row, "sell" also for a chunk. All is inlined, with `near` and the kernels as compile-time
 * constants. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_RUNS_H
#define OVK_MATRIX_FORMATS_SELL_SELL_RUNS_H

#include "core/base/lanes.h"
#include "matrix/formats/sell/sell_entries.h"

/* The products of row i, of n entries from k on, n > 0. Rows are counted from the window's first,
 * columns from some column of the window. */
typedef void ovk__row_kernel(const ovk__entries *e, bool near, int64_t k, ovk_lidx n, ovk_lidx i,
                             const double *restrict x, double *restrict y);

/* The products of the rows of a chunk, of n entries each, from k on, n > 0. */
typedef void ovk__chunk_kernel(const ovk__entries *e, bool near, int64_t k, ovk_lidx n,
                               const uint8_t *row, const double *restrict x, double *restrict y);

/* `rows` rows, with their numbers in `row`, of n entries each, from entry k on. */
OVK_ALWAYS_INLINE void ovk__rows_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx rows,
                                       ovk_lidx n, const uint8_t *row, ovk__row_kernel *kernel,
                                       const double *restrict x, double *restrict y)
{
  for (ovk_lidx r = 0; r < rows; r++, k += n) {
    kernel(e, near, k, n, row[r], x, y);
  }
}

/* The same; short rows have an unrolled loop for each length. */
OVK_ALWAYS_INLINE void ovk__run_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx rows,
                                      ovk_lidx n, const uint8_t *row, ovk__row_kernel *kernel,
                                      const double *restrict x, double *restrict y)
{
#define OVK__UNROLL(length)                                                                        \
  case length:                                                                                     \
    ovk__rows_times(e, near, k, rows, length, row, kernel, x, y);                                  \
    break
  switch (n) {
  case 0:
    break;
    OVK__UNROLL(1);
    OVK__UNROLL(2);
    OVK__UNROLL(3);
    OVK__UNROLL(4);
    OVK__UNROLL(5);
    OVK__UNROLL(6);
    OVK__UNROLL(7);
  default:
    ovk__rows_times(e, near, k, rows, n, row, kernel, x, y);
  }
#undef OVK__UNROLL
}

OVK_ALWAYS_INLINE void ovk__chunks_times(const ovk__entries *e, bool near, int64_t k, ovk_lidx rows,
                                         ovk_lidx n, const uint8_t *row, ovk__chunk_kernel *kernel,
                                         const double *restrict x, double *restrict y)
{
  for (ovk_lidx r = 0; r < rows;
       r += OVK__SELL_CHUNK_HEIGHT, k += (int64_t)OVK__SELL_CHUNK_HEIGHT * n) {
    kernel(e, near, k, n, row + r, x, y);
  }
}

/* The rows of a window that have entries; `chunk` is NULL if their chunks are of one row. */
OVK_ALWAYS_INLINE void ovk__window_times(const ovk__windows *w, const ovk__entries *e, bool near,
                                         ovk_lidx window, ovk__chunk_kernel *chunk,
                                         ovk__row_kernel *kernel, const double *restrict x,
                                         double *restrict y, ovk__pace *pace)
{
  const uint8_t *row = w->row + ovk__window_first(window);
  int64_t k = w->entry[window];
  for (const ovk__sell_run *run = w->runs + w->run[window]; run < w->runs + w->run[window + 1];
       run++) {
    const ovk_lidx in_chunks =
        run->length > 0 ? ovk__run_in_chunks(run, OVK__SELL_CHUNK_HEIGHT) : 0;
    for (ovk_lidx r = 0, n; r < run->rows; r += n) {
      if (chunk && r < in_chunks) {
        n = ovk__pace_until(pace, in_chunks - r);
        n += (OVK__SELL_CHUNK_HEIGHT - n % OVK__SELL_CHUNK_HEIGHT) % OVK__SELL_CHUNK_HEIGHT;
        ovk__chunks_times(e, near, k, n, run->length, row, chunk, x, y);
      } else {
        n = ovk__pace_until(pace, run->rows - r);
        ovk__run_times(e, near, k, n, run->length, row, kernel, x, y);
      }
      ovk__pace_done(pace, n);
      row += n;
      k += (int64_t)n * run->length;
    }
  }
}

#endif
