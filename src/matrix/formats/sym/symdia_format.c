/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "symdia": the upper half of a symmetric block, by diagonals in chunks of rows. */
#include "base/clones.h"
#include "base/mem.h"
#include "matrix/formats/dia/diagonals.h"
#include "matrix/formats/format.h"
#include "matrix/formats/sym/symdia_mult.h"
#include "matrix/formats/sym/symdia_rows.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DIAGONALS = 4096 }; /* distinct ones; row() searches all of them */

typedef struct block {
  ovk__diagonals d;
  ovk_lidx *offset; /* all that occur, increasing; for row() only */
  ovk_lidx noffsets;
} block;

static void release(block *b)
{
  ovk__diagonals_free(&b->d);
  free(b->offset);
}

static void destroy(void *self)
{
  if (self) release(self);
  free(self);
}

static int by_value(const void *a, const void *b)
{
  const ovk_lidx x = *(const ovk_lidx *)a, y = *(const ovk_lidx *)b;
  return (x > y) - (x < y);
}

/* b->offset <- the offsets of all lists, without duplicates. */
static ovk_err collect_offsets(ovk_ctx *ctx, block *b)
{
  const ovk__offset_lists *lists = &b->d.lists;
  const size_t n = lists->n ? (size_t)lists->begin[lists->n] : 0;
  OVK_NEW_ARRAY(ctx, b->offset, n);
  if (n == 0) return OVK_OK;
  memcpy(b->offset, lists->offset, n * sizeof *b->offset);
  qsort(b->offset, n, sizeof *b->offset, by_value);
  int64_t distinct = 1;
  for (size_t k = 1; k < n; k++) {
    if (b->offset[k] != b->offset[k - 1]) b->offset[distinct++] = b->offset[k];
  }
  b->noffsets = (ovk_lidx)distinct;
  ovk_lidx *fitting = realloc(b->offset, (size_t)distinct * sizeof *fitting);
  OVK_CHECK(fitting, ctx, OVK_ERR_MEMORY, "no memory for %lld diagonals", (long long)distinct);
  b->offset = fitting;
  return OVK_OK;
}

/* *self <- the plan; *bytes is -1 if it takes too much room. */
static ovk_err plan(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, void **self, int64_t *bytes)
{
  block *b = calloc(1, sizeof *b);
  OVK_CHECK(b, ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  *self = b;
  OVK_TRY(ovk__diagonals_plan(ctx, A, true, OVK__SYMDIA_HEIGHT, limit, &b->d, bytes));
  return *bytes < 0 ? OVK_OK : collect_offsets(ctx, b);
}

static ovk_err estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost, void **self)
{
  *cost = -1;
  if (ovk__csr_nnz(A) / 2 * (int64_t)sizeof *A->val >= limit) return OVK_OK;
  OVK_TRY(plan(ctx, A, limit, self, cost));
  if (((block *)*self)->noffsets > MAX_DIAGONALS) *cost = -1;
  return OVK_OK;
}

static ovk_err build_upper(ovk_ctx *ctx, ovk__csr *A, void **self)
{
  int64_t bytes = 0;
  if (!*self) OVK_TRY(plan(ctx, A, INT64_MAX, self, &bytes));
  OVK_TRY(ovk__diagonals_check(ctx, A, bytes));
  block *b = *self;
  OVK_CHECK(b->noffsets <= MAX_DIAGONALS, ctx, OVK_ERR_UNSUPPORTED,
            "the local block has %d diagonals on and above the main one, more than %d", b->noffsets,
            MAX_DIAGONALS);
  return ovk__symdia_fill(ctx, A, &b->d);
}

static ovk_err build(ovk_ctx *ctx, ovk__csr *A, void **self)
{
  return ovk__format_finish(build_upper(ctx, A, self), A, destroy, self);
}

static ovk_err refill(ovk_ctx *ctx, const ovk__csr *A, void *self)
{
  ovk__csr same = *A; /* of which nothing is taken over, as the slots have an array already */
  return ovk__symdia_fill(ctx, &same, &((block *)self)->d);
}

static double mult_dot(const void *self, const double *x, double *y, ovk_poll poll)
{
  return ovk__symdia_mult_dot(&((const block *)self)->d, x, y, poll);
}

static void diagonal(const void *self, double *out)
{
  ovk__diagonals_diagonal(&((const block *)self)->d, out);
}

/* Appends the entry (i, i + offset), if stored, to the entries of a row, with column `as`. */
static void add(const ovk__diagonals *d, ovk_lidx i, ovk_lidx offset, ovk_lidx as, ovk_lidx *col,
                double *val, ovk_lidx *count)
{
  const ovk_lidx c = i / OVK__SYMDIA_HEIGHT,
                 at = ovk__offset_list_find(&d->lists, d->list[c], offset);
  const int64_t slot =
      d->first[c] + (int64_t)at * ovk__diagonals_stride(d, c) + i % OVK__SYMDIA_HEIGHT;
  if (at < 0 || !ovk__diagonals_holds(d, slot)) return;
  if (col) col[*count] = as;
  if (val) val[*count] = d->val[slot];
  ++*count;
}

static ovk_lidx row(const void *self, ovk_lidx i, ovk_lidx *col, double *val)
{
  const block *b = self;
  ovk_lidx count = 0;
  for (ovk_lidx k = b->noffsets - 1; k >= 0 && b->offset[k] > 0; k--) {
    const ovk_lidx j = i - b->offset[k];
    if (j >= 0) add(&b->d, j, b->offset[k], j, col, val, &count);
  }
  for (ovk_lidx k = 0; k < b->noffsets && b->offset[k] < b->d.rows - i; k++) {
    add(&b->d, i, b->offset[k], i + b->offset[k], col, val, &count);
  }
  return count;
}

/* Called for all entries (i, j) on and above the diagonal, rows and columns increasing. */
typedef void upper_fn(void *arg, ovk_lidx i, ovk_lidx j, double value);

OVK_ALWAYS_INLINE void for_each_upper(const ovk__diagonals *d, upper_fn *entry, void *arg)
{
  for (ovk_lidx c = 0, i = 0; c < d->nchunks; c++) {
    ovk_lidx n;
    const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
    const ovk_lidx stride = ovk__diagonals_stride(d, c);
    for (ovk_lidx l = 0; l < stride; l++, i++) {
      int64_t slot = d->first[c] + l;
      for (ovk_lidx k = 0; k < n; k++, slot += stride) {
        if (ovk__diagonals_holds(d, slot)) entry(arg, i, i + offset[k], d->val[slot]);
      }
    }
  }
}

static void count_both(void *arg, ovk_lidx i, ovk_lidx j, double value)
{
  int64_t *ptr = arg;
  (void)value;
  ptr[i + 1]++;
  if (i != j) ptr[j + 1]++;
}

/* The next places of all rows in `out`. */
typedef struct places {
  int64_t *next;
  ovk__csr *out;
} places;

static inline void put(const places *p, ovk_lidx i, ovk_lidx j, double value)
{
  const int64_t at = p->next[i]++;
  p->out->col[at] = j;
  if (p->out->val) p->out->val[at] = value;
}

/* Row j gets its entries below the diagonal, in order, before those that follow. */
static void put_both(void *arg, ovk_lidx i, ovk_lidx j, double value)
{
  put(arg, i, j, value);
  if (i != j) put(arg, j, i, value);
}

static ovk_err unfold(ovk_ctx *ctx, const void *self, ovk__csr *out)
{
  const ovk__diagonals *d = &((const block *)self)->d;
  places p = {.out = out};
  OVK_NEW_ARRAY(ctx, p.next, d->rows);
  memset(out->ptr, 0, ((size_t)d->rows + 1) * sizeof *out->ptr);
  for_each_upper(d, count_both, out->ptr);
  for (ovk_lidx i = 0; i < d->rows; i++) {
    p.next[i] = out->ptr[i];
    out->ptr[i + 1] += out->ptr[i];
  }
  for_each_upper(d, put_both, &p);
  free(p.next);
  return OVK_OK;
}

static int64_t bytes(const void *self)
{
  return ovk__diagonals_bytes(&((const block *)self)->d);
}

const ovk__format ovk__format_symdia = {
    .name = "symdia",
    .summary = "symmetric: the upper half by diagonals",
    .symmetric = true,
    .estimate = estimate,
    .build = build,
    .unfold = unfold,
    .refill = refill,
    .destroy = destroy,
    .mult_dot = mult_dot,
    .diagonal = diagonal,
    .row = row,
    .bytes = bytes,
};
