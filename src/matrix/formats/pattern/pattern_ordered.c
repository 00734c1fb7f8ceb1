/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "pattern" in the order of order/whole_rows.h, run by run: one entry of
 * the pattern times a contiguous piece of x, added to sums that stay in registers. If the number of
 * rows is not a multiple of the vector length, some are computed twice, with the same bits. */
#include "core/base/lanes.h"
#include "matrix/formats/chunks.h"
#include "matrix/formats/pattern/pattern_product.h"

enum { VECTOR = OVK__LANES, MOST = 4 * VECTOR }; /* rows processed together */

/* The n entries of a pattern; the first `below` are in columns below the row. */
typedef struct ordered_entries {
  const ovk_lidx *offset;
  const double *value;
  int32_t n, below;
} ordered_entries;

static ordered_entries ordered_entries_of(const ovk__pattern_block *b, int32_t pattern)
{
  const int32_t at = b->begin[pattern];
  ordered_entries e = {b->offset + at, b->value + at, b->begin[pattern + 1] - at, 0};
  while (e.below < e.n && e.offset[e.below] < 0) e.below++;
  return e;
}

/* n vectors of rows, n up to 4; the last one begins at row `last`. */
OVK_ALWAYS_INLINE void ordered_vectors(int n, int64_t last, ordered_entries e,
                                       const double *restrict x, double *y)
{
  ovk__lanes low[4] = {{{0}, {0}}}, high[4] = {{{0}, {0}}};
  for (int32_t k = 0; k < e.below; k++) {
    const double *xk = x + e.offset[k];
    for (int v = 0; v < n; v++) {
      ovk__lanes_add_multiple(&low[v], e.value[k], xk + (v < n - 1 ? (int64_t)v * VECTOR : last));
    }
  }
  for (int32_t k = e.n - 1; k >= e.below; k--) {
    const double *xk = x + e.offset[k];
    for (int v = 0; v < n; v++) {
      ovk__lanes_add_multiple(&high[v], e.value[k], xk + (v < n - 1 ? (int64_t)v * VECTOR : last));
    }
  }
  for (int v = 0; v < n; v++) {
    ovk__lanes_add_where(~0u, &low[v], &high[v]);
    ovk__lanes_to_doubles(y + (v < n - 1 ? (int64_t)v * VECTOR : last), &low[v]);
  }
}

OVK_ALWAYS_INLINE double ordered_row(ordered_entries e, const double *restrict x)
{
  double low = 0, high = 0;
  for (int32_t k = 0; k < e.below; k++) low += e.value[k] * x[e.offset[k]];
  for (int32_t k = e.n - 1; k >= e.below; k--) high += e.value[k] * x[e.offset[k]];
  return low + high;
}

/* At most MOST rows of a pattern. */
OVK_ALWAYS_INLINE void ordered_piece(ordered_entries e, int64_t rows, const double *restrict x,
                                     double *restrict y)
{
  const int64_t last = rows - VECTOR;
  if (last > (int64_t)2 * VECTOR) {
    ordered_vectors(4, last, e, x, y);
  } else if (last > VECTOR) {
    ordered_vectors(3, last, e, x, y);
  } else if (last > 0) {
    ordered_vectors(2, last, e, x, y);
  } else if (last == 0) {
    ordered_vectors(1, last, e, x, y);
  } else {
    for (int64_t i = 0; i < rows; i++) y[i] = ordered_row(e, x + i);
  }
}

/* The rows first to end - 1; run *r has the first one or is before it. */
OVK_FOR_EACH_CPU
static void pattern_order_rows(const ovk__pattern_block *b, ovk_lidx *r, ovk_lidx first,
                               ovk_lidx end, const double *restrict x, double *restrict y)
{
  while (first < end) {
    while (b->runs[*r].end <= first) ++*r;
    const ovk_lidx stop = b->runs[*r].end < end ? b->runs[*r].end : end;
    const ordered_entries e = ordered_entries_of(b, b->runs[*r].pattern);
    for (ovk_lidx rows; first < stop; first += rows) {
      rows = stop - first < MOST ? stop - first : MOST;
      ordered_piece(e, rows, x + first, y + first);
    }
  }
}

void ovk__pattern_mult_ordered(const void *block, const double *x, double *y, ovk_poll poll,
                               const ovk__finish *finish)
{
  const ovk__pattern_block *b = block;
  ovk_lidx r = 0;
  for (ovk_lidx i = 0, end; i < b->rows; i = end) {
    end = ovk__chunks_until(b->rows, OVK__GROUP, poll, i);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = ovk__finish_until(finish, k, end);
      pattern_order_rows(b, &r, k, stop, x, y);
      ovk__finish_rows(finish, k, stop, y);
    }
    ovk__chunks_poll(b->rows, poll, i, end);
  }
}
