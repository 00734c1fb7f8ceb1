/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "bjacobi": blocks on the diagonal of this rank's rows, without the entries
 * between them. Each is solved densely or by an incomplete factorization. */
#include "core/context/agree.h"
#include "core/memory_limit.h"
#include "precond/bjacobi/dense.h"
#include "precond/incomplete/incomplete.h"

#include <stdio.h>
#include <stdlib.h>

/* Rows of a dense block unless the number of blocks is given. */
enum { ROWS = 64 };

extern const ovk_precond_ops ovk__precond_ic, ovk__precond_ilu;

enum { DENSE, IC, ILU };
static const ovk_option options[] = {
    OVK_INTEGER("blocks", 1, INT32_MAX, 0, "blocks of a rank"),
    OVK_WORD("sub", DENSE, "solver of a block; ic and ilu take the other options", "dense", "ic",
             "ilu"),
    OVK__INCOMPLETE_OPTIONS, OVK_OPTIONS_END};

static const ovk_precond_ops *const solver_ops[] = {&ovk__dense_blocks, &ovk__precond_ic,
                                                    &ovk__precond_ilu};

typedef struct bjacobi {
  ovk_ctx *ctx;
  ovk_lidx n;
  int blocks; /* with at least one row each */
  int solver;
  const ovk_precond_ops *ops; /* of the solver */
  void *state;                /* of the solver, or NULL */
} bjacobi;

static void bjacobi_destroy(void *state)
{
  bjacobi *J = state;
  if (J->state) J->ops->destroy(J->state);
  free(J);
}

static ovk_err bjacobi_check_keys(ovk_ctx *ctx, const ovk_spec *spec, int solver)
{
  const ovk_option *others = ovk__incomplete_table;
  for (int k = 0; others[k].name && solver == DENSE; k++) {
    OVK_CHECK(!ovk_spec_has(spec, others[k].name), ctx, OVK_ERR_ARG,
              "%s= is for sub=ic and sub=ilu: dense blocks have none", others[k].name);
  }
  return OVK_OK;
}

static ovk_err bjacobi_make(const ovk_mat *A, const ovk_spec *spec, bjacobi **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  bjacobi *J = *out = calloc(1, sizeof *J);
  long blocks;
  OVK_CHECK(J, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  J->ctx = ctx;
  J->n = ovk_mat_local_size(A);
  OVK_TRY(ovk_spec_word(ctx, spec, options, "sub", &J->solver));
  OVK_TRY(bjacobi_check_keys(ctx, spec, J->solver));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "blocks", &blocks));
  if (!blocks) blocks = J->solver == DENSE ? J->n / ROWS + (J->n % ROWS != 0) : 1;
  J->blocks = (int)(blocks < J->n ? blocks : J->n);
  J->ops = solver_ops[J->solver];
  return OVK_OK;
}

/* Incomplete factors of B have no entries between blocks, as B has none. */
static ovk_err solve_with(bjacobi *J, const ovk_mat *A, const ovk__block *B, const ovk_spec *spec)
{
  if (J->solver == DENSE) return ovk__dense_blocks_setup(B, J->blocks, &J->state);
  return ovk__incomplete_setup(
      A, B, spec, J->solver == IC ? &ovk__incomplete_ic : &ovk__incomplete_ilu, &J->state);
}

static ovk_err bjacobi_fill(bjacobi *J, const ovk_mat *A, const ovk_spec *spec)
{
  ovk__block B;
  ovk_err err = ovk__block_copy(A, "bjacobi", &B);
  if (!err) {
    ovk__block_split(&B, J->blocks);
    err = ovk__block_check_finite(&B, "bjacobi");
  }
  if (!err) err = solve_with(J, A, &B, spec);
  ovk__block_free(&B);
  return err;
}

/* Whether dense blocks fit. Collective; errors are agreed. */
static ovk_err bjacobi_check_memory(const bjacobi *J)
{
  double mine = 0;
  char what[80];
  if (J->solver != DENSE) return OVK_OK;
  for (int k = 0; k < J->blocks; k++) {
    const double rows =
        ovk__block_start(J->n, J->blocks, k + 1) - ovk__block_start(J->n, J->blocks, k);
    mine += rows * rows * (double)sizeof(double);
  }
  double all = mine;
  OVK_TRY(ovk__total(J->ctx, &all, 1, MPI_SUM));
  snprintf(what, sizeof what, "dense blocks of %.3g GB on all ranks", 1e-9 * all);
  return ovk__memory_check(J->ctx, what, mine, all);
}

static ovk_err bjacobi_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  bjacobi *J = NULL;
  ovk_err err = ovk__agree(ovk_mat_ctx(A), bjacobi_make(A, spec, &J));
  if (!err) err = bjacobi_check_memory(J);
  if (!err) err = bjacobi_fill(J, A, spec);
  if (err && J) {
    bjacobi_destroy(J);
  } else {
    *state = J;
  }
  return err;
}

static ovk_err bjacobi_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const bjacobi *J = state;
  return J->ops->apply(J->state, r, z, poll);
}

static ovk_err bjacobi_apply_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  const bjacobi *J = state;
  return J->ops->apply_many(J->state, width, r, z, poll);
}

static ovk_err bjacobi_prepare_many(void *state, int width)
{
  const bjacobi *J = state;
  return J->ops->prepare_many(J->state, width);
}

static ovk_err bjacobi_factor(void *state)
{
  const bjacobi *J = state;
  OVK_CHECK(J->ops->factor, J->ctx, OVK_ERR_UNSUPPORTED,
            "preconditioner 'bjacobi:sub=%s' has no factors M = L L^T", J->ops->name);
  return J->ops->factor(J->state);
}

static ovk_err bjacobi_apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  const bjacobi *J = state;
  return J->ops->apply_left(J->state, r, t, poll);
}

static ovk_err bjacobi_apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  const bjacobi *J = state;
  return J->ops->apply_right(J->state, t, w, poll);
}

static int64_t bjacobi_bytes(void *state)
{
  const bjacobi *J = state;
  return J->ops->bytes(J->state);
}

static const char *bjacobi_info(void *state)
{
  const bjacobi *J = state;
  return J->ops->info ? J->ops->info(J->state) : NULL;
}

const ovk_precond_ops ovk__precond_bjacobi = {
    .name = "bjacobi",
    .summary = "block Jacobi, with dense or incomplete factors of the blocks",
    .keys = options,
    .apply = bjacobi_apply,
    .setup = bjacobi_setup,
    .destroy = bjacobi_destroy,
    .factor = bjacobi_factor,
    .apply_left = bjacobi_apply_left,
    .apply_right = bjacobi_apply_right,
    .bytes = bjacobi_bytes,
    .info = bjacobi_info,
    .warning = bjacobi_info,
    .local = true,
    .apply_many = bjacobi_apply_many,
    .prepare_many = bjacobi_prepare_many,
};
