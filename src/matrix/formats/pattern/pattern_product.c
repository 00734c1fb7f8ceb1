/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "pattern", group by group. In a group that shares no entries, its rows
 * of one run are processed together: one entry of the pattern times a contiguous piece of x, added
 * to sums that stay in registers. If their number is not a multiple of the vector length, some are
 * computed twice, with bitwise equal results; other rows are not written. */
#include "matrix/formats/pattern/pattern_product.h"
#include "core/base/lanes.h"
#include "matrix/formats/chunks.h"
#include "matrix/formats/pattern/pattern_groups.h"

/* Rows processed together: up to VECTORS vectors of VECTOR rows, to cover the latency of an
 * addition; half a vector at a time in shorter runs. */
enum { BLOCK = OVK__GROUP, VECTOR = OVK__LANES, VECTORS = BLOCK / VECTOR };

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

/* Rows 0 to n VECTOR - 1, n from 1 to 4, except that the last vector, if not the first, begins at
 * row `last`. */
OVK_ALWAYS_INLINE void vectors(int n, int64_t last, entries e, const double *restrict x, double *y)
{
  ovk__lanes sum[VECTORS] = {{{0}, {0}}};
  for (int32_t k = 0; k < e.n; k++) {
    const double a = e.value[k];
    const double *xk = x + e.offset[k];
    ovk__lanes_add_multiple(&sum[0], a, xk);
    if (n > 2) ovk__lanes_add_multiple(&sum[1], a, xk + VECTOR);
    if (n > 3) ovk__lanes_add_multiple(&sum[2], a, xk + BLOCK / 2);
    if (n > 1) ovk__lanes_add_multiple(&sum[3], a, xk + last);
  }
  ovk__lanes_to_doubles(y, &sum[0]);
  if (n > 2) ovk__lanes_to_doubles(y + VECTOR, &sum[1]);
  if (n > 3) ovk__lanes_to_doubles(y + BLOCK / 2, &sum[2]);
  if (n > 1) ovk__lanes_to_doubles(y + last, &sum[3]);
}

/* Half a vector of rows, at row 0 and at row `last`, which may be the same. */
OVK_ALWAYS_INLINE void halves(int64_t last, entries e, const double *restrict x, double *y)
{
  ovk__half sum[2] = {{0}, {0}};
  for (int32_t k = 0; k < e.n; k++) {
    const double *xk = x + e.offset[k];
    ovk__half_add_multiple(&sum[0], e.value[k], xk);
    ovk__half_add_multiple(&sum[1], e.value[k], xk + last);
  }
  ovk__half_to_doubles(y, &sum[0]);
  ovk__half_to_doubles(y + last, &sum[1]);
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

/* The rows first to end - 1 of one pattern, at most a group's. */
OVK_ALWAYS_INLINE void pattern_multiply_piece(entries e, int64_t first, int64_t end,
                                              const double *restrict x, double *restrict y)
{
  const int64_t length = end - first, last = length - VECTOR; /* the last vector ends with them */
  if (last > BLOCK / 2) {
    vectors(4, last, e, x + first, y + first);
  } else if (last > VECTOR) {
    vectors(3, last, e, x + first, y + first);
  } else if (last > 0) {
    vectors(2, last, e, x + first, y + first);
  } else if (last == 0) {
    vectors(1, 0, e, x + first, y + first);
  } else if (length >= OVK__HALF) {
    halves(length - OVK__HALF, e, x + first, y + first);
  } else {
    for (int64_t i = first; i < end; i++) y[i] = one_row(e, x + i);
  }
}

/* A group that begins with row `first`, of run r, run by run; the order of additions depends on how
 * many rows of the group a run has. */
OVK_FOR_EACH_CPU
static void pattern_multiply_runs(const ovk__pattern_block *b, ovk_lidx r, ovk_lidx first,
                                  const double *restrict x, double *restrict y)
{
  const ovk_lidx stop = b->rows - first < BLOCK ? b->rows : first + BLOCK;
  for (; first < stop; r++) {
    const ovk_lidx end = b->runs[r].end < stop ? b->runs[r].end : stop;
    pattern_multiply_piece(entries_of(b, b->runs[r].pattern), first, end, x, y);
    first = end;
  }
}

/* The groups from `group` to stop - 1. */
static void pattern_multiply_groups(const ovk__pattern_block *b, ovk_lidx group, ovk_lidx stop,
                                    const double *x, double *y)
{
  const int32_t *kind = b->groups.kind;
  while (group < stop) {
    group = ovk__pattern_groups_mult(&b->groups, group, stop, x, y);
    for (; group < stop && kind[group] < 0; group++) {
      ovk__pattern_ask(&b->groups, (int64_t)group * BLOCK, x, y);
      pattern_multiply_runs(b, ~kind[group], group * BLOCK, x, y);
    }
  }
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
static void pattern_dot_rows(dot *d, ovk_lidx stop, const double *restrict x,
                             const double *restrict y)
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
static double pattern_dot_end(dot *d, ovk_lidx n, const double *x, const double *y)
{
  for (int l = 0; d->done + l < n; l++) d->lane[l] += x[d->done + l] * y[d->done + l];
  for (int width = LANES / 2; width; width /= 2) {
    for (int l = 0; l < width; l++) d->lane[l] += d->lane[l + width];
  }
  return d->lane[0];
}

double ovk__pattern_mult_dot(const void *block, const double *x, double *y, ovk_poll poll,
                             const ovk__finish *finish)
{
  const ovk__pattern_block *b = block;
  enum { SLAB = 1024 }; /* rows whose x and y are still in the L1 cache for the inner product */
  dot d = {0};
  for (ovk_lidx i = 0, end; i < b->rows; i = end) {
    end = ovk__chunks_until(b->rows, BLOCK, poll, i);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = ovk__finish_until(finish, k, end - k > SLAB ? k + SLAB : end);
      pattern_multiply_groups(b, k / BLOCK, stop / BLOCK + (stop % BLOCK != 0), x,
                              y); /* y <- A x */
      const ovk_lidx done = d.done;
      pattern_dot_rows(&d, stop, x, y);
      ovk__finish_rows(finish, done, d.done, y);
    }
    ovk__chunks_poll(b->rows, poll, i, end);
  }
  const double total = pattern_dot_end(&d, b->rows, x, y);
  ovk__finish_rows(finish, d.done, b->rows, y);
  return total;
}
