/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "dia": diagonals in chunks of rows. All rows of a chunk are processed offset by
 * offset, so that values, x and y are accessed contiguously instead of gathered, and no column
 * indices are read. After the diagonal format of Saad, Iterative Methods for Sparse Linear Systems
 * (2003), section 3.4, which has diagonals over all rows. */
#include "base/clones.h"
#include "matrix/formats/dia/dia_rows.h"
#include "matrix/formats/format.h"

#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 8 };

static void destroy(void *block)
{
  if (block) ovk__diagonals_free(block);
  free(block);
}

static ovk_err plan(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, void **block, int64_t *bytes)
{
  ovk__diagonals *d = malloc(sizeof *d);
  OVK_CHECK(d, ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  *block = d;
  return ovk__diagonals_plan(ctx, A, false, HEIGHT, limit, d, bytes);
}

static ovk_err estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost, void **block)
{
  *cost = -1;
  if (ovk__csr_nnz(A) * (int64_t)sizeof *A->val >= limit) return OVK_OK;
  return plan(ctx, A, limit, block, cost);
}

static ovk_err build(ovk_ctx *ctx, ovk__csr *A, void **block)
{
  int64_t bytes = 0;
  ovk_err err = *block ? OVK_OK : plan(ctx, A, INT64_MAX, block, &bytes);
  if (!err) err = ovk__diagonals_check(ctx, A, bytes);
  if (!err) err = ovk__diagonals_fill(ctx, A, *block);
  return ovk__format_finish(err, A, destroy, block);
}

static ovk_err refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block)
{
  (void)ctx;
  ovk__diagonals_refill(A, first, block);
  return OVK_OK;
}

/* s <- A x for the HEIGHT rows of a chunk, x at the first of them, all offsets within the matrix.
 * Two sums per row: one chain of additions would be latency-bound. */
OVK_ALWAYS_INLINE void times(ovk_lidx n, const ovk_lidx *restrict offset,
                             const double *restrict val, const double *restrict x,
                             double *restrict s)
{
  double even[HEIGHT] = {0}, odd[HEIGHT] = {0};
  ovk_lidx k = 0;
  ovk__ask_ahead(val, sizeof *val, (int64_t)n * HEIGHT);
  for (; k < n - 1; k += 2) {
    const double *x0 = x + offset[k], *x1 = x + offset[k + 1];
    for (int l = 0; l < HEIGHT; l++) even[l] += val[l] * x0[l];
    val += HEIGHT;
    for (int l = 0; l < HEIGHT; l++) odd[l] += val[l] * x1[l];
    val += HEIGHT;
  }
  if (k < n) {
    const double *x0 = x + offset[k];
    for (int l = 0; l < HEIGHT; l++) even[l] += val[l] * x0[l];
  }
  for (int l = 0; l < HEIGHT; l++) s[l] = even[l] + odd[l];
}

/* The same sums where padding lies outside of x: only rows `from` to `to` of the chunk, which
 * begins with row i, have column row + offset. */
static void times_guarded(ovk_lidx rows, ovk_lidx i, ovk_lidx n, const ovk_lidx *offset,
                          const double *val, const double *x, double *s)
{
  const ovk_lidx height = rows - i < HEIGHT ? rows - i : HEIGHT;
  double sum[2][HEIGHT] = {{0}, {0}};
  for (ovk_lidx k = 0; k < n; k++, val += height) {
    const ovk_lidx first = i + offset[k], from = first < 0 ? -first : 0;
    const ovk_lidx to = first > rows - height ? rows - first : height; /* avoids overflow */
    for (ovk_lidx l = from; l < to; l++) sum[k % 2][l] += val[l] * x[first + l];
  }
  for (int l = 0; l < HEIGHT; l++) s[l] = sum[0][l] + sum[1][l];
}

/* Chunk c: y <- A x; dot[l] <- dot[l] + (x, y) of its row l */
OVK_ALWAYS_INLINE void multiply(const ovk__diagonals *d, ovk_lidx c, const double *restrict x,
                                double *restrict y, double *restrict dot)
{
  ovk_lidx n;
  double s[HEIGHT];
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n), i = c * HEIGHT;
  const double *val = d->val + d->first[c];
  if (d->rows - i >= HEIGHT &&
      (n == 0 || (offset[0] >= -i && offset[n - 1] <= d->rows - HEIGHT - i))) {
    times(n, offset, val, x + i, s);
    for (int l = 0; l < HEIGHT; l++) {
      y[i + l] = s[l];
      dot[l] += x[i + l] * s[l];
    }
  } else {
    times_guarded(d->rows, i, n, offset, val, x, s);
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
  for (ovk_lidx c = from; c < to; c++) multiply(d, c, x, y, lane);
  memcpy(dot, lane, sizeof lane);
}

static double mult_dot(const void *block, const double *x, double *y, ovk_poll poll)
{
  const ovk__diagonals *d = block;
  double dot[HEIGHT] = {0};
  for (ovk_lidx i = 0, end; i < d->rows; i = end) {
    end = ovk__diagonals_until(d, poll, i);
    multiply_chunks(d, i / HEIGHT, end / HEIGHT + (end % HEIGHT != 0), x, y, dot);
    ovk__diagonals_poll(d, poll, i, end);
  }
  return ((dot[0] + dot[4]) + (dot[2] + dot[6])) + ((dot[1] + dot[5]) + (dot[3] + dot[7]));
}

static void diagonal(const void *block, double *out)
{
  ovk__diagonals_diagonal(block, out);
}

static ovk_lidx row(const void *block, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__diagonals *d = block;
  const ovk_lidx c = i / HEIGHT, stride = ovk__diagonals_stride(d, c);
  ovk_lidx n, count = 0;
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  int64_t slot = d->first[c] + i % HEIGHT;
  for (ovk_lidx k = 0; k < n; k++, slot += stride) {
    if (!ovk__diagonals_holds(d, slot)) continue;
    if (col) col[count] = i + offset[k];
    if (val) val[count] = d->val[slot];
    count++;
  }
  return count;
}

static void lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  ovk__diagonals_lengths(block, first, rows, length);
}

static ovk_err unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out)
{
  (void)ctx;
  ovk__diagonals_unfold(block, first, out);
  return OVK_OK;
}

static int64_t bytes(const void *block)
{
  return ovk__diagonals_bytes(block);
}

const ovk__format ovk__format_dia = {
    .name = "dia",
    .summary = "diagonals in chunks of rows",
    .estimate = estimate,
    .build = build,
    .lengths = lengths,
    .unfold = unfold,
    .refill = refill,
    .destroy = destroy,
    .mult_dot = mult_dot,
    .diagonal = diagonal,
    .row = row,
    .bytes = bytes,
};
