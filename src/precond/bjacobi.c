/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "bjacobi": dense blocks on the diagonal of this rank's rows, factored by
 * LAPACK: Cholesky where a block is symmetric positive definite, else LU with pivots. C = L L^T has
 * factors if all blocks are of the first kind. */
#include "base/mem.h"
#include "base/memory_limit.h"
#include "precond/block.h"
#include "precond/dense.h"

#include <ovkrylov/precond.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a block unless their number is given. */
enum { ROWS = 64 };

typedef struct bjacobi {
  ovk_ctx *ctx;
  ovk_gidx first;
  ovk_lidx n;
  int blocks; /* with at least one row each */
  ovk__dense *block;
} bjacobi;

/* The first row of block number k. */
static ovk_lidx start_of(const bjacobi *J, int k)
{
  return (ovk_lidx)((int64_t)J->n * k / J->blocks);
}

/* Bytes of the blocks as dense arrays. */
static double count_bytes(const bjacobi *J)
{
  double bytes = 0;
  for (int k = 0; k < J->blocks; k++) {
    const double rows = start_of(J, k + 1) - start_of(J, k);
    bytes += rows * rows * (double)sizeof(double);
  }
  return bytes;
}

static void destroy(void *state)
{
  bjacobi *J = state;
  for (int k = 0; J->block && k < J->blocks; k++) ovk__dense_free(&J->block[k]);
  free(J->block);
  free(J);
}

static ovk_err make(const ovk_mat *A, const ovk_spec *spec, bjacobi **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  bjacobi *J = *out = calloc(1, sizeof *J);
  long blocks;
  OVK_CHECK(J, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  J->ctx = ctx;
  J->first = ovk_mat_first(A);
  J->n = ovk_mat_local_size(A);
  const long usual = J->n / ROWS + (J->n % ROWS != 0);
  OVK_TRY(ovk_spec_int(ctx, spec, "blocks", 1, INT32_MAX, usual, &blocks));
  J->blocks = (int)(blocks < J->n ? blocks : J->n);
  OVK_NEW_ZEROS(ctx, J->block, J->blocks);
  return OVK_OK;
}

static ovk_err factor_blocks(bjacobi *J, const ovk__block *A)
{
  OVK_TRY(ovk__block_check_finite(A, "bjacobi"));
  for (int k = 0; k < J->blocks; k++) {
    const ovk_lidx first = start_of(J, k);
    OVK_TRY(ovk__dense_factor(A, first, start_of(J, k + 1) - first, &J->block[k]));
  }
  return OVK_OK;
}

static ovk_err fill(bjacobi *J, const ovk_mat *A)
{
  ovk__block copy;
  ovk_err err = ovk__block_copy(A, "bjacobi", &copy);
  if (!err) err = factor_blocks(J, &copy);
  ovk__block_free(&copy);
  return err;
}

/* Collective; errors are agreed. */
static ovk_err check_memory(const bjacobi *J)
{
  const double mine = count_bytes(J);
  double all;
  char what[80];
  OVK_TRY_MPI(J->ctx, MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, ovk_ctx_comm(J->ctx)));
  snprintf(what, sizeof what, "dense blocks of %.3g GB on all ranks", 1e-9 * all);
  return ovk__memory_check(J->ctx, what, mine, all);
}

static ovk_err setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  bjacobi *J = NULL;
  ovk_err err = ovk__agree(ovk_mat_ctx(A), make(A, spec, &J));
  if (!err) err = check_memory(J);
  if (!err) err = fill(J, A);
  if (err && J) {
    destroy(J);
  } else {
    *state = J;
  }
  return err;
}

typedef void (*solve_fn)(const ovk__dense *B, double *x, ovk_poll poll);

static ovk_err apply_all(const bjacobi *J, solve_fn solve, const double *r, double *z,
                         ovk_poll poll)
{
  if (J->n) memcpy(z, r, (size_t)J->n * sizeof *z);
  for (int k = 0; k < J->blocks; k++) solve(&J->block[k], z + J->block[k].first, poll);
  return OVK_OK;
}

static ovk_err apply(void *state, const double *r, double *z, ovk_poll poll)
{
  return apply_all(state, ovk__dense_solve, r, z, poll);
}

static ovk_err factor(void *state)
{
  const bjacobi *J = state;
  for (int k = 0; k < J->blocks; k++) {
    const ovk__dense *B = &J->block[k];
    const long long first = (long long)(J->first + B->first);
    OVK_CHECK(!B->pivot, J->ctx, OVK_ERR_INDEFINITE,
              "bjacobi has no factors: the block of rows %lld to %lld is not symmetric positive "
              "definite",
              first, first + B->n - 1);
  }
  return OVK_OK;
}

static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  return apply_all(state, ovk__dense_solve_left, r, t, poll);
}

static ovk_err apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  return apply_all(state, ovk__dense_solve_right, t, w, poll);
}

static int64_t bytes(void *state)
{
  const bjacobi *J = state;
  int64_t sum = (int64_t)J->blocks * (int64_t)sizeof *J->block;
  for (int k = 0; k < J->blocks; k++) sum += ovk__dense_bytes(&J->block[k]);
  return sum;
}

static const char *const keys[] = {"blocks", NULL};

const ovk_precond_ops ovk__precond_bjacobi = {
    .name = "bjacobi",
    .summary = "dense blocks on the diagonal, by LAPACK",
    .keys = keys,
    .apply = apply,
    .setup = setup,
    .destroy = destroy,
    .factor = factor,
    .apply_left = apply_left,
    .apply_right = apply_right,
    .bytes = bytes,
};
