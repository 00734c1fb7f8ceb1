/* SPDX-License-Identifier: BSD-2-Clause */
/* Dense blocks of bjacobi: Cholesky where a block is symmetric positive definite, else LU with
 * pivots. M = L L^T has factors if all blocks are of the first kind. */
#include "core/context/mem.h"
#include "matrix/vector/multivec_impl.h"
#include "precond/bjacobi/dense.h"

#include <stdlib.h>
#include <string.h>

typedef struct dense_blocks {
  ovk_ctx *ctx;
  ovk_gidx first;
  ovk_lidx n;
  int blocks;
  ovk__dense *block;
  double *column; /* a column of the longest block, for blocks of columns */
} dense_blocks;

static void dense_blocks_destroy(void *state)
{
  dense_blocks *D = state;
  for (int k = 0; D->block && k < D->blocks; k++) ovk__dense_free(&D->block[k]);
  free(D->block);
  free(D->column);
  free(D);
}

static ovk_err factor_blocks(dense_blocks *D, const ovk__block *B)
{
  OVK_NEW_ZEROS(D->ctx, D->block, D->blocks);
  for (int k = 0; k < D->blocks; k++) {
    const ovk_lidx first = ovk__block_start(B->n, D->blocks, k);
    const ovk_lidx end = ovk__block_start(B->n, D->blocks, k + 1);
    OVK_TRY(ovk__dense_factor(B, first, end - first, &D->block[k]));
  }
  return OVK_OK;
}

ovk_err ovk__dense_blocks_setup(const ovk__block *B, int blocks, void **state)
{
  dense_blocks *D = calloc(1, sizeof *D);
  OVK_CHECK(D, B->ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  *D = (dense_blocks){.ctx = B->ctx, .first = B->first, .n = B->n, .blocks = blocks};
  const ovk_err err = factor_blocks(D, B);
  if (err) {
    dense_blocks_destroy(D);
  } else {
    *state = D;
  }
  return err;
}

typedef void (*solve_fn)(const ovk__dense *B, double *x, ovk_poll poll);

static ovk_err dense_blocks_apply_all(const dense_blocks *D, solve_fn solve, const double *r,
                                      double *z, ovk_poll poll)
{
  if (D->n) memcpy(z, r, (size_t)D->n * sizeof *z);
  for (int k = 0; k < D->blocks; k++) solve(&D->block[k], z + D->block[k].first, poll);
  return OVK_OK;
}

static ovk_err dense_blocks_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  return dense_blocks_apply_all(state, ovk__dense_solve, r, z, poll);
}

static ovk_err dense_blocks_prepare_many(void *state, int width)
{
  dense_blocks *D = state;
  (void)width;
  if (D->column) return OVK_OK;
  ovk_lidx most = 0;
  for (int k = 0; k < D->blocks; k++) most = D->block[k].n > most ? D->block[k].n : most;
  OVK_NEW_ARRAY(D->ctx, D->column, most);
  return OVK_OK;
}

/* A block is in a cache for all columns but the first. */
static ovk_err dense_blocks_apply_many(void *state, int width, const double *r, double *z,
                                       ovk_poll poll)
{
  const dense_blocks *D = state;
  for (int k = 0; k < D->blocks; k++) {
    const ovk__dense *B = &D->block[k];
    const ptrdiff_t at = (ptrdiff_t)B->first * width;
    for (int c = 0; c < width; c++) {
      ovk__panel_get(B->n, width, r + at, c, 1, D->column, B->n);
      ovk__dense_solve(B, D->column, poll);
      ovk__panel_set(B->n, width, z + at, c, 1, D->column, B->n);
    }
  }
  return OVK_OK;
}

static ovk_err dense_blocks_factor(void *state)
{
  const dense_blocks *D = state;
  for (int k = 0; k < D->blocks; k++) {
    const ovk__dense *B = &D->block[k];
    const ovk_gidx first = D->first + B->first;
    OVK_CHECK(!B->pivot, D->ctx, OVK_ERR_INDEFINITE,
              "bjacobi has no factors: the block of rows %lld to %lld is not symmetric positive "
              "definite",
              (long long)first, (long long)first + B->n - 1);
  }
  return OVK_OK;
}

static ovk_err dense_blocks_apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  return dense_blocks_apply_all(state, ovk__dense_solve_left, r, t, poll);
}

static ovk_err dense_blocks_apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  return dense_blocks_apply_all(state, ovk__dense_solve_right, t, w, poll);
}

static int64_t dense_blocks_bytes(void *state)
{
  const dense_blocks *D = state;
  int64_t sum = (int64_t)D->blocks * (int64_t)sizeof *D->block;
  for (int k = 0; k < D->blocks; k++) sum += ovk__dense_bytes(&D->block[k]);
  return sum;
}

const ovk_precond_ops ovk__dense_blocks = {
    .apply = dense_blocks_apply,
    .destroy = dense_blocks_destroy,
    .factor = dense_blocks_factor,
    .apply_left = dense_blocks_apply_left,
    .apply_right = dense_blocks_apply_right,
    .bytes = dense_blocks_bytes,
    .apply_many = dense_blocks_apply_many,
    .prepare_many = dense_blocks_prepare_many,
};
