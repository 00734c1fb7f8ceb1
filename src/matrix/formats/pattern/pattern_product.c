/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "pattern". The rows of a run are processed together: one entry of the
 * pattern times a contiguous piece of x, added to sums that stay in registers. If the length of a
 * run is not a multiple of the vector length, some of its rows are computed twice, with bitwise
 * equal results; rows outside of the run are not written. */
#include "matrix/formats/pattern/pattern_product.h"
#include "base/clones.h"

#include <string.h>

/* Rows processed together: up to VECTORS vectors of VECTOR rows, to cover the latency of an
 * addition; half a vector, or pairs, in shorter runs. */
enum { VECTOR = 8, VECTORS = 4, BLOCK = VECTORS * VECTOR, HALF = 4, PAIR = 2 };

/* The entries of a pattern, and their number. */
typedef struct entries {
  const ovk_lidx *offset;
  const double *value;
  int32_t n;
} entries;

OVK_ALWAYS_INLINE entries entries_of(const ovk__pattern_block *b, int32_t pattern)
{
  const int32_t at = b->begin[pattern];
  return (entries){b->offset + at, b->value + at, b->begin[pattern + 1] - at};
}

/* Rows 0 to n VECTOR - 1, n from 2 to 4, except that the last vector begins at row `last`. Written
 * so that compilers vectorise it: loops over all lanes, and stores as copies. */
OVK_ALWAYS_INLINE void vectors(int n, int64_t last, entries e, const double *restrict x, double *y)
{
  double sum[VECTORS][VECTOR] = {{0}};
  for (int32_t k = 0; k < e.n; k++) {
    const double a = e.value[k];
    const double *xk = x + e.offset[k];
    for (int l = 0; l < VECTOR; l++) {
      sum[0][l] += a * xk[l];
      if (n > 2) sum[1][l] += a * xk[VECTOR + l];
      if (n > 3) sum[2][l] += a * xk[2 * VECTOR + l];
      sum[3][l] += a * xk[last + l];
    }
  }
  memcpy(y, sum[0], sizeof sum[0]);
  if (n > 2) memcpy(y + VECTOR, sum[1], sizeof sum[1]);
  if (n > 3) memcpy(y + BLOCK / 2, sum[2], sizeof sum[2]);
  memcpy(y + last, sum[3], sizeof sum[3]);
}

/* Rows 0 to n - 1, n at most VECTOR. */
OVK_ALWAYS_INLINE void one_vector(int n, entries e, const double *restrict x, double *restrict y)
{
  double sum[VECTOR] = {0};
  for (int32_t k = 0; k < e.n; k++) {
    const double a = e.value[k];
    const double *xk = x + e.offset[k];
    for (int l = 0; l < n; l++) sum[l] += a * xk[l];
  }
  memcpy(y, sum, (size_t)n * sizeof *y);
}

/* A single row, in four independent sums. */
OVK_ALWAYS_INLINE double one_row(entries e, const double *restrict x)
{
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  int32_t k = 0;
  for (; k <= e.n - 4; k += 4) {
    sum0 += e.value[k] * x[e.offset[k]];
    sum1 += e.value[k + 1] * x[e.offset[k + 1]];
    sum2 += e.value[k + 2] * x[e.offset[k + 2]];
    sum3 += e.value[k + 3] * x[e.offset[k + 3]];
  }
  for (; k < e.n; k++) sum0 += e.value[k] * x[e.offset[k]];
  return (sum0 + sum1) + (sum2 + sum3);
}

/* At least rows `from` to stop - 1 of a run of VECTOR rows or more that begins at `first`. */
OVK_ALWAYS_INLINE void multiply_long(entries e, int64_t first, int64_t from, int64_t stop,
                                     const double *restrict x, double *restrict y)
{
  int64_t i = from;
  for (; i < stop - BLOCK; i += BLOCK) {
    vectors(VECTORS, BLOCK - VECTOR, e, x + i, y + i);
  }
  const int64_t last = stop - i - VECTOR; /* the last vector ends where the rows do */
  if (last > BLOCK / 2) {
    vectors(4, last, e, x + i, y + i);
  } else if (last > VECTOR) {
    vectors(3, last, e, x + i, y + i);
  } else if (last > 0) {
    vectors(2, last, e, x + i, y + i);
  } else {
    i = i + last > first ? i + last : first; /* or after them, if the run has just begun */
    one_vector(VECTOR, e, x + i, y + i);
  }
}

/* The same for a run of at least `rows` rows and less than VECTOR, `rows` at a time. */
OVK_ALWAYS_INLINE void multiply_short(int rows, entries e, int64_t end, int64_t from, int64_t stop,
                                      const double *restrict x, double *restrict y)
{
  for (int64_t i = from; i < stop; i += rows) {
    if (i > end - rows) i = end - rows;
    one_vector(rows, e, x + i, y + i);
  }
}

/* At least the rows from `from` to stop - 1 of the run of rows first to end - 1, and no rows
 * outside of the run. The summation order of a row depends on the length of its run only. */
OVK_ALWAYS_INLINE void multiply_run(entries e, int64_t first, int64_t end, int64_t from,
                                    int64_t stop, const double *restrict x, double *restrict y)
{
  const int64_t length = end - first;
  if (length >= VECTOR) {
    multiply_long(e, first, from, stop, x, y);
  } else if (length >= HALF) {
    multiply_short(HALF, e, end, from, stop, x, y);
  } else if (length >= PAIR) {
    multiply_short(PAIR, e, end, from, stop, x, y);
  } else {
    y[from] = one_row(e, x + from);
  }
}

/* Rows from to stop - 1, of which the first is in run r; returns the run of row `stop`. */
OVK_FOR_EACH_CPU
static ovk_lidx multiply_rows(const ovk__pattern_block *b, ovk_lidx r, ovk_lidx from, ovk_lidx stop,
                              const double *restrict x, double *restrict y)
{
  const ovk__pattern_run *runs = b->runs;
  ovk_lidx first = r ? runs[r - 1].end : 0;
  while (from < stop) {
    const ovk_lidx end = runs[r].end, until = end < stop ? end : stop;
    multiply_run(entries_of(b, runs[r].pattern), first, end, from, until, x, y);
    from = until;
    if (until == end) {
      first = end;
      r++;
    }
  }
  return r;
}

/* (x, y) of the first `done` rows, in LANES interleaved sums that do not depend on how the rows are
 * split into calls. */
enum { LANES = 32 };
typedef struct dot {
  ovk_lidx done; /* a multiple of LANES */
  double lane[LANES];
} dot;

/* Continues up to row `stop`, or to the multiple of LANES below it. */
OVK_FOR_EACH_CPU
static void dot_rows(dot *d, ovk_lidx stop, const double *restrict x, const double *restrict y)
{
  double lane[LANES];
  ovk_lidx i = d->done;
  for (int l = 0; l < LANES; l++) lane[l] = d->lane[l];
  for (; i <= stop - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) lane[l] += x[i + l] * y[i + l]; /* (x, y) */
  }
  for (int l = 0; l < LANES; l++) d->lane[l] = lane[l];
  d->done = i;
}

/* Adds the remaining rows, and sums all lanes pairwise. */
static double dot_end(dot *d, ovk_lidx n, const double *x, const double *y)
{
  for (int l = 0; d->done + l < n; l++) d->lane[l] += x[d->done + l] * y[d->done + l];
  for (int width = LANES / 2; width; width /= 2) {
    for (int l = 0; l < width; l++) d->lane[l] += d->lane[l + width];
  }
  return d->lane[0];
}

double ovk__pattern_mult_dot(const ovk__pattern_block *b, const double *x, double *y, ovk_poll poll)
{
  enum { SLAB = 1024 }; /* rows whose x and y are still in the L1 cache for the inner product */
  dot d = {0};
  ovk_lidx run = 0;
  for (ovk_lidx i = 0, end; i < b->rows; i = end) {
    end = ovk_poll_until(poll, i, b->rows);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = end - k > SLAB ? k + SLAB : end;
      run = multiply_rows(b, run, k, stop, x, y); /* y <- A x */
      dot_rows(&d, stop, x, y);
    }
    ovk_poll_call(poll);
  }
  return dot_end(&d, b->rows, x, y);
}
