/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "dia": diagonals in chunks of rows. All rows of a chunk are processed offset by
 * offset, so that values, x and y are accessed contiguously instead of gathered, and no column
 * indices are read. After the diagonal format of Saad, Iterative Methods for Sparse Linear Systems
 * (2003), section 3.4, which has diagonals over all rows. With "few", slices of a chunk that are
 * the same are stored once, and read out of a dictionary. */
#include "base/lanes.h"
#include "matrix/formats/cost.h"
#include "matrix/formats/dia/dia_rows.h"
#include "matrix/formats/format.h"

#include <stdlib.h>
#include <string.h>

enum { HEIGHT = OVK__LANES };

/* Whether chunk c is complete and no padding lies outside of x. */
OVK_ALWAYS_INLINE bool is_inside(const ovk__diagonals *d, ovk_lidx c, ovk_lidx n,
                                 const ovk_lidx *offset)
{
  const ovk_lidx i = c * HEIGHT;
  return d->rows - i >= HEIGHT &&
         (n == 0 || (offset[0] >= -i && offset[n - 1] <= d->rows - HEIGHT - i));
}

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

/* Slices with values of their own or from the dictionary; a chunk begins a loop, whose end is
 * mispredicted where the next one has another length; at both ends of the matrix padding is skipped
 * row by row. */
enum { SLICE = 64, SLICE_OF_FEW = 53, SLICE_AT_END = 192, CHUNK = 160 };

static int64_t work_of(const ovk__diagonals *d, bool few)
{
  int64_t work = 0;
  for (ovk_lidx c = 0, n; c < d->nchunks; c++) {
    const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
    const int64_t slice = !is_inside(d, c, n, offset) ? SLICE_AT_END : few ? SLICE_OF_FEW : SLICE;
    work += CHUNK + n * slice;
  }
  return work;
}

/* The least cost of a block of A: without padding. */
static int64_t least_cost(const ovk__csr *A, bool few)
{
  const int64_t nnz = ovk__csr_nnz(A), slice = few ? SLICE_OF_FEW : SLICE;
  return ovk__cost(A, few ? 0 : nnz * (int64_t)sizeof *A->val, nnz / HEIGHT * slice);
}

static ovk_err estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost, void **block)
{
  int64_t bytes = -1;
  *cost = -1;
  if (least_cost(A, false) >= limit) return OVK_OK;
  OVK_TRY(plan(ctx, A, limit, block, &bytes)); /* a byte costs at least 1 */
  if (bytes >= 0) *cost = ovk__cost(A, bytes, work_of(*block, false));
  return OVK_OK;
}

static ovk_err build(ovk_ctx *ctx, ovk__csr *A, void **block)
{
  int64_t bytes = 0;
  ovk_err err = *block ? OVK_OK : plan(ctx, A, INT64_MAX, block, &bytes);
  if (!err) err = ovk__diagonals_check(ctx, A, bytes);
  if (!err) err = ovk__diagonals_fill(ctx, A, *block);
  return ovk__format_finish(err, A, destroy, block);
}

/* Whether at most half of up to SAMPLE entries all over A differ in their values. */
static bool seems_few(const ovk__csr *A)
{
  enum { SAMPLE = 1024, TABLE = 4 * SAMPLE };
  uint64_t table[TABLE]; /* hash table with open addressing */
  bool used[TABLE] = {false};
  const int64_t nnz = ovk__csr_nnz(A), n = nnz < SAMPLE ? nnz : SAMPLE;
  int64_t distinct = 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t bits;
    memcpy(&bits, A->val + nnz / n * k, sizeof bits);
    size_t at = (size_t)((bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 40) % TABLE;
    while (used[at] && table[at] != bits) at = (at + 1) % TABLE;
    distinct += !used[at];
    used[at] = true;
    table[at] = bits;
  }
  return 2 * distinct <= n;
}

static ovk_err estimate_few(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                            void **block)
{
  int64_t bytes = -1;
  bool few = false;
  *cost = -1;
  if (least_cost(A, true) >= limit || !seems_few(A)) return OVK_OK;
  OVK_TRY(plan(ctx, A, INT64_MAX, block, &bytes));
  ovk__diagonals *d = *block;
  if (bytes < 0) return OVK_OK;
  const int64_t work = work_of(d, true);
  if (work >= limit) return OVK_OK;
  OVK_TRY(ovk__diagonals_fill_few(ctx, A, d, &few));
  if (few) *cost = ovk__cost(A, ovk__diagonals_bytes(d), work);
  return OVK_OK;
}

static ovk_err build_slices(ovk_ctx *ctx, const ovk__csr *A, void **block)
{
  int64_t bytes = -1;
  bool few = false;
  OVK_TRY(plan(ctx, A, INT64_MAX, block, &bytes));
  OVK_TRY(ovk__diagonals_check(ctx, A, bytes));
  OVK_TRY(ovk__diagonals_fill_few(ctx, A, *block, &few));
  return few ? OVK_OK : ovk__diagonals_fill(ctx, A, *block);
}

static ovk_err build_few(ovk_ctx *ctx, ovk__csr *A, void **block)
{
  const ovk_err err = *block ? OVK_OK : build_slices(ctx, A, block);
  return ovk__format_finish(err, A, destroy, block);
}

static ovk_err refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block)
{
  return ovk__diagonals_refill(ctx, A, first, block);
}

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
  if (is_inside(d, c, n, offset)) {
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
    if (val) val[count] = ovk__diagonals_at(d, d->slice, c, k)[i % HEIGHT];
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

const ovk__format ovk__format_dia_few = {
    .name = "dia:few",
    .estimate = estimate_few,
    .build = build_few,
    .lengths = lengths,
    .unfold = unfold,
    .refill = refill,
    .destroy = destroy,
    .mult_dot = mult_dot,
    .diagonal = diagonal,
    .row = row,
    .bytes = bytes,
};

static const char *const keys[] = {"few", NULL};
const ovk__format ovk__format_dia = {
    .name = "dia",
    .summary = "diagonals in chunks of rows; few: equal values of eight rows stored once",
    .keys = keys,
    .variant = &ovk__format_dia_few,
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
