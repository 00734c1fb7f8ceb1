/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "symdia": the upper half of a symmetric block, by diagonals in chunks of rows. */
#include "core/base/cpu_dispatch.h"
#include "core/base/sorted.h"
#include "core/context/mem.h"
#include "matrix/formats/cost.h"
#include "matrix/formats/dia/diagonals.h"
#include "matrix/formats/format.h"
#include "matrix/formats/sym/symmetry.h"
#include "matrix/formats/symdia/symdia_mult.h"
#include "matrix/formats/symdia/symdia_rows.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DIAGONALS = 4096 }; /* distinct ones; each row is searched for all of them */

typedef ovk__symdia block;

static void symdia_release(block *b)
{
  ovk__diagonals_free(&b->d);
  free(b->offset);
  free(b->reach);
}

static void symdia_destroy(void *self)
{
  if (self) symdia_release(self);
  free(self);
}

/* b->reach, from the offsets. */
static ovk_err symdia_collect_reach(ovk_ctx *ctx, block *b)
{
  OVK_NEW_ARRAY(ctx, b->reach, 2 * (size_t)b->noffsets);
  for (ovk_lidx k = 0; k < b->noffsets; k++) {
    const ovk_lidx least = b->offset[k] / OVK__SYMDIA_CHUNK_HEIGHT;
    const ovk_lidx most = least + (b->offset[k] % OVK__SYMDIA_CHUNK_HEIGHT != 0);
    for (ovk_lidx reach = least; reach <= most; reach++) {
      const ovk_lidx last = b->nreach ? b->reach[b->nreach - 1] : 0;
      if (reach > last) b->reach[b->nreach++] = reach;
    }
  }
  return OVK_OK;
}

/* b->offset <- the offsets of all lists, without duplicates. */
static ovk_err symdia_collect_offsets(ovk_ctx *ctx, block *b)
{
  const ovk__offset_lists *lists = &b->d.lists;
  const size_t n = lists->n ? (size_t)lists->begin[lists->n] : 0;
  OVK_NEW_ARRAY(ctx, b->offset, n);
  if (n == 0) return OVK_OK;
  memcpy(b->offset, lists->offset, n * sizeof *b->offset);
  ovk__sort_lidx(b->offset, n);
  int64_t distinct = 1;
  for (size_t k = 1; k < n; k++) {
    if (b->offset[k] != b->offset[k - 1]) b->offset[distinct++] = b->offset[k];
  }
  b->noffsets = (ovk_lidx)distinct;
  OVK_RESIZE(ctx, b->offset, distinct);
  return symdia_collect_reach(ctx, b);
}

/* *self <- the plan; *bytes is -1 if it takes too much room. */
static ovk_err symdia_plan(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, void **self,
                           int64_t *bytes)
{
  block *b = calloc(1, sizeof *b);
  OVK_CHECK(b, ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  *self = b;
  OVK_TRY(ovk__diagonals_plan(ctx, A, true, OVK__SYMDIA_CHUNK_HEIGHT, limit, &b->d, bytes));
  return *bytes < 0 ? OVK_OK : symdia_collect_offsets(ctx, b);
}

/* The work of a chunk with these n diagonals: y is zeroed and completed once, and read and written
 * for each diagonal, or for three together, whose loads also cross the ends of cache lines. */
static int64_t work_of_chunk(const ovk_lidx *offset, ovk_lidx n)
{
  enum { CHUNK = 720, ONE = 456, THREE = 832, CHUNK_NARROW = 1232, THREE_NARROW = 1216 };
  const bool wide = ovk__has_wide_vectors();
  int64_t work = wide ? CHUNK : CHUNK_NARROW;
  for (ovk_lidx k = n > 0 && offset[0] == 0, done; k < n; k += done) {
    done = ovk__symdia_together(offset, n, k);
    work += done == 1 ? ONE : wide ? THREE : THREE_NARROW;
  }
  return work;
}

static int64_t symdia_work_of(const ovk__diagonals *d)
{
  int64_t work = 0;
  for (ovk_lidx c = 0, n; c < d->nchunks; c++) {
    const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
    work += work_of_chunk(offset, n);
  }
  return work;
}

static ovk_err symdia_estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                               void **self)
{
  int64_t bytes = -1;
  *cost = -1;
  if (ovk__cost(A, ovk__csr_nnz(A) / 2 * (int64_t)sizeof *A->val, 0) >= limit) return OVK_OK;
  const int64_t most = ovk__most_bytes(A, limit);
  if (ovk__diagonals_are_hopeless(A, true, OVK__SYMDIA_CHUNK_HEIGHT, most)) return OVK_OK;
  OVK_TRY(symdia_plan(ctx, A, most, self, &bytes));
  const block *b = *self;
  if (bytes >= 0 && b->noffsets <= MAX_DIAGONALS)
    *cost = ovk__cost(A, bytes, symdia_work_of(&b->d));
  return OVK_OK;
}

/* *symmetric <- whether A is, bit for bit; if not, *self is of no use. */
static ovk_err symdia_build_upper(ovk_ctx *ctx, ovk__csr *A, void **self, bool *symmetric)
{
  int64_t bytes = 0;
  if (!*self) OVK_TRY(symdia_plan(ctx, A, INT64_MAX, self, &bytes));
  OVK_TRY(ovk__diagonals_check(ctx, A, bytes));
  block *b = *self;
  OVK_CHECK(b->noffsets <= MAX_DIAGONALS, ctx, OVK_ERR_UNSUPPORTED,
            "the local block has %d diagonals on and above the main one, more than %d", b->noffsets,
            MAX_DIAGONALS);
  return ovk__symdia_fill(ctx, A, &b->d, symmetric);
}

static ovk_err symdia_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **self)
{
  bool symmetric = false;
  ovk_err err = symdia_build_upper(ctx, A, self, &symmetric);
  if (!err && !symmetric) {
    symdia_destroy(*self);
    *self = NULL;
    err = ovk__symmetry_require(ctx, A, exact);
    if (!err) err = symdia_build_upper(ctx, A, self, &symmetric);
  }
  return ovk__format_finish(err, A, symdia_destroy, self);
}

static void symdia_put_in_order(void *self)
{
  ovk__symdia_flip(&((block *)self)->d, true);
}

static ovk_err symdia_copy_narrow(ovk_ctx *ctx, const void *self, void *out)
{
  block *b = out;
  OVK_TRY(ovk__diagonals_copy_narrow(ctx, self, out));
  ovk__symdia_flip(&b->d, false); /* for products in any order */
  return symdia_collect_offsets(ctx, b);
}

static const ovk__format symdia_float = {
    .symmetric = true,
    OVK__FLOAT_FORMAT("symdia", block, &ovk__symdia_products_float, symdia_destroy,
                      ovk__diagonals_diagonal, ovk__diagonals_bytes)};

static const ovk_option options[] = {OVK__EXACT_OPTION, OVK_OPTIONS_END};

const ovk__format ovk__format_symdia = {
    .name = "symdia",
    .summary = "upper half of a symmetric matrix, by diagonals",
    .keys = options,
    .symmetric = true,
    .estimate = symdia_estimate,
    .build = symdia_build,
    .lengths = ovk__symdia_lengths,
    .unfold = ovk__symdia_unfold,
    .refill = ovk__symdia_refill,
    .narrow = &symdia_float,
    .copy_narrow = symdia_copy_narrow,
    .destroy = symdia_destroy,
    .products = &ovk__symdia_products,
    .put_in_order = symdia_put_in_order,
    .diagonal = ovk__diagonals_diagonal,
    .row = ovk__symdia_row,
    .bytes = ovk__diagonals_bytes,
};
