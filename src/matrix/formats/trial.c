/* SPDX-License-Identifier: BSD-2-Clause */
/* The timed trial of formats: products are timed one by one and the least time counts, as other
 * work of the machine can only add to it. */
#include "matrix/formats/trial.h"
#include "core/base/clock.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PRODUCTS = 5, MAX_PRODUCTS = 200, ENOUGH_NS = 2000000 };

/* The fastest block so far. */
typedef struct winner {
  int format;
  void *block;
  int64_t ns;
} winner;

static ovk_err trial_copy(ovk_ctx *ctx, const ovk__csr *A, ovk__csr *out)
{
  const size_t nnz = (size_t)ovk__csr_nnz(A);
  OVK_TRY(ovk__csr_alloc(ctx, A->rows, (int64_t)nnz, out));
  memcpy(out->ptr, A->ptr, ((size_t)A->rows + 1) * sizeof *A->ptr);
  if (nnz == 0) return OVK_OK;
  memcpy(out->col, A->col, nnz * sizeof *A->col);
  memcpy(out->val, A->val, nnz * sizeof *A->val);
  return OVK_OK;
}

/* The least time of a product, after one that is not counted. */
static int64_t trial_time_of(const ovk__format *f, const void *block, const double *x, double *y)
{
  int64_t least = INT64_MAX, sum = 0;
  (void)f->products->dot(block, x, y, ovk_poll_none(), NULL);
  for (int k = 0; k < LEAST_PRODUCTS || (k < MAX_PRODUCTS && sum < ENOUGH_NS); k++) {
    const int64_t start = ovk__clock_ns();
    (void)f->products->dot(block, x, y, ovk_poll_none(), NULL);
    const int64_t ns = ovk__clock_ns() - start;
    sum += ns;
    if (ns < least) least = ns;
  }
  return least;
}

/* *block <- A in format f; NULL if that cannot hold it. */
static ovk_err trial_build(ovk_ctx *ctx, const ovk__format *f, bool exact, const ovk__csr *A,
                           void **block)
{
  int64_t cost = 0;
  ovk__csr entries = {0};
  *block = NULL;
  ovk_err err = f->estimate ? f->estimate(ctx, A, INT64_MAX, &cost, block) : OVK_OK;
  if (!err && cost >= 0) err = trial_copy(ctx, A, &entries);
  if (err || cost < 0) {
    if (*block) f->destroy(*block);
    *block = NULL;
  } else {
    err = f->build(ctx, &entries, exact, block);
  }
  ovk__csr_free(&entries);
  if (err == OVK_ERR_UNSUPPORTED) {
    ovk__clear_message(ctx);
    return OVK_OK;
  }
  return err;
}

static ovk_err trial_try_all(ovk_ctx *ctx, const void *const *formats, int n, bool exact,
                             const ovk__csr *A, const double *x, double *y, winner *w)
{
  for (int k = 0; k < n; k++) {
    const ovk__format *f = formats[k];
    void *block;
    if (!f->build) continue;
    OVK_TRY(trial_build(ctx, f, exact, A, &block));
    if (!block) continue;
    const int64_t ns = trial_time_of(f, block, x, y);
    void *slower = block;
    if (!w->block || ns < w->ns) {
      slower = w->block;
      if (slower) f = formats[w->format];
      *w = (winner){k, block, ns};
    }
    if (slower) f->destroy(slower);
  }
  return OVK_OK;
}

ovk_err ovk__format_trial(ovk_ctx *ctx, const void *const *formats, int n, bool exact, ovk__csr *A,
                          int *best, void **block)
{
  winner w = {0};
  double *x = ovk__array((size_t)A->rows, sizeof *x), *y = ovk__array((size_t)A->rows, sizeof *y);
  ovk_err err = OVK_OK;
  if (!x || !y) err = OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d rows", A->rows);
  for (ovk_lidx i = 0; !err && i < A->rows; i++) x[i] = 1;
  if (!err) err = trial_try_all(ctx, formats, n, exact, A, x, y, &w);
  free(x);
  free(y);
  if (err) {
    if (w.block) ((const ovk__format *)formats[w.format])->destroy(w.block);
    return err;
  }
  ovk__csr_free(A);
  *best = w.format;
  *block = w.block;
  return OVK_OK;
}
