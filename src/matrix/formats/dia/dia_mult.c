/* SPDX-License-Identifier: BSD-2-Clause */
/* All rows of a chunk are processed diagonal by diagonal, with their sums in registers. */
#include "matrix/formats/dia/dia_mult.h"
#include "core/base/cpu_dispatch.h"

#include <string.h>

enum { HEIGHT = OVK__DIA_HEIGHT };

/* The values of a chunk whose diagonals are all complete: the k-th eight, or the slices with these
 * numbers if there are numbers. */
typedef struct chunk_values {
  const double *val;
  const uint16_t *number;
} chunk_values;

OVK_ALWAYS_INLINE const double *values_at(const chunk_values *a, bool few, ovk_lidx k)
{
  return a->val + (int64_t)HEIGHT * (few ? a->number[k] : k);
}

/* sum <- sum + val x in each lane */
OVK_ALWAYS_INLINE void add(const double *val, const double *x, ovk__lanes *sum)
{
  ovk__lanes a, b;
  ovk__lanes_of_doubles(&a, val);
  ovk__lanes_of_doubles(&b, x);
  ovk__lanes_add(sum, &a, &b);
}

/* s <- A x for the HEIGHT rows of a chunk, x at the first of them, all offsets within the matrix.
 * Two sums per row: one chain of additions would be latency-bound. */
OVK_ALWAYS_INLINE void times(bool few, ovk_lidx n, const ovk_lidx *restrict offset, chunk_values a,
                             const double *restrict x, double *restrict s)
{
  ovk__lanes even = {0}, odd = {0};
  ovk_lidx k = 0;
  if (few) {
    ovk__ask_ahead(a.number, sizeof *a.number, n);
  } else {
    ovk__ask_ahead(a.val, sizeof *a.val, (int64_t)n * HEIGHT);
  }
  for (; k < n - 1; k += 2) {
    add(values_at(&a, few, k), x + offset[k], &even);
    add(values_at(&a, few, k + 1), x + offset[k + 1], &odd);
  }
  if (k < n) add(values_at(&a, few, k), x + offset[k], &even);
  double other[HEIGHT];
  ovk__lanes_to_doubles(s, &even);
  ovk__lanes_to_doubles(other, &odd);
  for (int l = 0; l < HEIGHT; l++) s[l] += other[l];
}

/* The same sums where padding lies outside of x: only rows `from` to `to` of the chunk, which
 * begins with row i, have column row + offset. */
static void times_guarded(const ovk__diagonals *d, ovk_lidx c, ovk_lidx n, const ovk_lidx *offset,
                          const double *x, double *s)
{
  const ovk_lidx rows = d->rows, i = c * HEIGHT, height = ovk__diagonals_stride(d, c);
  double sum[2][HEIGHT] = {{0}, {0}};
  for (ovk_lidx k = 0; k < n; k++) {
    const double *val = ovk__diagonals_at(d, d->slice, c, k);
    const ovk_lidx first = i + offset[k], from = first < 0 ? -first : 0;
    const ovk_lidx to = first > rows - height ? rows - first : height; /* avoids overflow */
    for (ovk_lidx l = from; l < to; l++) sum[k % 2][l] += val[l] * x[first + l];
  }
  for (int l = 0; l < HEIGHT; l++) s[l] = sum[0][l] + sum[1][l];
}

/* Chunk c: y <- A x; dot[l] <- dot[l] + (x, y) of its row l */
OVK_ALWAYS_INLINE void multiply(const ovk__diagonals *d, bool few, ovk_lidx c,
                                const double *restrict x, double *restrict y, double *restrict dot)
{
  ovk_lidx n;
  double s[HEIGHT];
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n), i = c * HEIGHT;
  if (ovk__dia_is_inside(d, c, n, offset)) {
    const int64_t first = d->first[c];
    if (n) ovk__ask_rows(x + i + offset[n - 1], HEIGHT);
    const chunk_values a = {few ? d->slices.val : d->val + first,
                            few ? d->slice + first / HEIGHT : NULL};
    times(few, n, offset, a, x + i, s);
    for (int l = 0; l < HEIGHT; l++) {
      y[i + l] = s[l];
      dot[l] += x[i + l] * s[l];
    }
  } else {
    times_guarded(d, c, n, offset, x, s);
    for (ovk_lidx l = 0; l < HEIGHT && l < d->rows - i; l++) {
      y[i + l] = s[l];
      dot[l] += x[i + l] * s[l];
    }
  }
}

OVK_FOR_EACH_CPU
static void multiply_chunks(const ovk__diagonals *d, ovk_lidx from, ovk_lidx to,
                            const double *restrict x, double *restrict y, double *restrict dot)
{
  double lane[HEIGHT];
  memcpy(lane, dot, sizeof lane);
  if (d->slice) {
    for (ovk_lidx c = from; c < to; c++) multiply(d, true, c, x, y, lane);
  } else {
    for (ovk_lidx c = from; c < to; c++) multiply(d, false, c, x, y, lane);
  }
  memcpy(dot, lane, sizeof lane);
}

double ovk__dia_mult_dot(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll)
{
  double dot[HEIGHT] = {0};
  for (ovk_lidx i = 0, end; i < d->rows; i = end) {
    end = ovk__diagonals_until(d, poll, i);
    multiply_chunks(d, i / HEIGHT, end / HEIGHT + (end % HEIGHT != 0), x, y, dot);
    ovk__diagonals_poll(d, poll, i, end);
  }
  return ((dot[0] + dot[4]) + (dot[2] + dot[6])) + ((dot[1] + dot[5]) + (dot[3] + dot[7]));
}
