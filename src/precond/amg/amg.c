/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "amg": a cycle of algebraic multigrid by smoothed aggregation. The levels do
 * not depend on the number of ranks, which the hash in ovk_precond_info() shows. */
#include "core/context/agree.h"
#include "matrix/finite.h"
#include "matrix/near_nullspace/find_block.h"
#include "matrix/symmetry/symmetry.h"
#include "precond/amg/hierarchy.h"
#include "precond/amg/report.h"
#include "precond/amg/wide.h"
#include "precond/precond_impl.h"

#include <stdlib.h>

typedef struct amg {
  ovk__amg_hierarchy hierarchy;
  ovk__amg_hierarchy *wide[OVK__WIDEST + 1]; /* by width, for blocks of columns; NULL: none */
  char info[OVK__PRECOND_INFO], warning[OVK__PRECOND_INFO];
} amg;

static const ovk_option amg_options[] = {
    OVK_REAL("theta", 0, 1, 0.35, "strength threshold; 0.1 if a point has several rows"),
    OVK_REAL("omega", 0, 2, 1.45, "damping of the prolongator; 0: it is not smoothed"),
    OVK_INTEGER("degree", 1, 20, 2,
                "degree of the smoother, before and after; one more from the third level on"),
    OVK_INTEGER("block", 0, 1000, 0,
                "rows of a point; 0: the block size of the matrix, or the one found"),
    OVK_INTEGER("levels", 1, OVK__AMG_MOST_LEVELS, 20, "levels, at most"),
    OVK_INTEGER("coarse", 1, OVK__AMG_MOST_DENSE, 512, "rows of a level that is solved directly"),
    OVK_INTEGER("gather", 0, 1000000, 100,
                "rows a rank, below which a coarse level moves to fewer ranks; 0: never"),
    OVK_WORD("cycle", OVK__AMG_MIXED,
             "visits of coarser levels: one; two; two of a small second or third level", "v", "w",
             "mixed"),
    OVK_WORD("store", 1, "precision of the values of the cycle", "double", "float"),
    OVK_WORD("update", OVK__AMG_RENEW_MATRICES,
             "in updates P stays, gets new values, or all is new", "prolongator", "values", "all"),
    OVK_OPTIONS_END};

static ovk_err amg_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__amg_options *out)
{
  long degree, levels, coarse, gather, block;
  OVK_TRY(ovk_spec_double(ctx, spec, amg_options, "theta", &out->theta));
  OVK_TRY(ovk_spec_double(ctx, spec, amg_options, "omega", &out->omega));
  OVK_TRY(ovk_spec_int(ctx, spec, amg_options, "degree", &degree));
  OVK_TRY(ovk_spec_int(ctx, spec, amg_options, "block", &block));
  OVK_TRY(ovk_spec_int(ctx, spec, amg_options, "levels", &levels));
  OVK_TRY(ovk_spec_int(ctx, spec, amg_options, "coarse", &coarse));
  OVK_TRY(ovk_spec_int(ctx, spec, amg_options, "gather", &gather));
  OVK_TRY(ovk_spec_word(ctx, spec, amg_options, "cycle", &out->cycle));
  OVK_TRY(ovk_spec_word(ctx, spec, amg_options, "update", &out->update));
  OVK_TRY(ovk_spec_word(ctx, spec, amg_options, "store", &out->in_float));
  out->block = (int)block;
  out->degree = (int)degree;
  out->levels = (int)levels;
  out->coarse = (int)coarse;
  out->gather = (int)gather;
  return OVK_OK;
}

static void amg_describe(amg *M)
{
  ovk__amg_describe(&M->hierarchy, M->info);
  ovk__amg_warn(&M->hierarchy, M->warning);
}

static void amg_free_wide(amg *M)
{
  for (int width = 0; width <= OVK__WIDEST; width++) ovk__amg_wide_free(&M->wide[width]);
}

static void amg_destroy(void *state)
{
  amg *M = state;
  amg_free_wide(M);
  ovk__amg_hierarchy_free(&M->hierarchy);
  free(M);
}

/* *symmetric <- whether A is, except for rounding. A NaN is not equal to its mirror image, so it is
 * found in the other case. */
static ovk_err amg_check(const ovk_mat *A, bool *symmetric)
{
  OVK_TRY(ovk__mat_is_nearly_symmetric(A, symmetric));
  return *symmetric ? OVK_OK : ovk__check_finite(A, "amg");
}

/* The rows of a point are those that the spec has, or those of A, which may be found. The default
 * threshold for points of several rows is lower: with more, aggregates of tetrahedral meshes are
 * small, and the coarse matrices are large. Collective; errors are agreed. */
static ovk_err amg_find_block(const ovk_mat *A, const ovk_spec *spec, ovk__amg_options *options)
{
  static const double THETA_OF_BLOCKS = 0.1;
  const int block = options->block;
  if (block == 0) OVK_TRY(ovk__mat_find_block(A, &options->block));
  options->found = block == 0 && options->block != ovk_mat_block_size(A);
  if (options->block > 1 && !ovk_spec_has(spec, "theta")) options->theta = THETA_OF_BLOCKS;
  const ovk_err err = A->layout.local % options->block == 0
                          ? OVK_OK
                          : OVK_FAIL(A->ctx, OVK_ERR_ARG,
                                     "amg: a rank has %d rows, which is no multiple of block=%d",
                                     A->layout.local, options->block);
  return ovk__agree(A->ctx, err);
}

static ovk_err amg_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  ovk__amg_options options = {0};
  amg *M = calloc(1, sizeof *M);
  ovk_err err = M ? amg_read(A->ctx, spec, &options)
                  : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  if (!err && A->state == OVK__MAT_SHELL) {
    err = OVK_FAIL(A->ctx, OVK_ERR_UNSUPPORTED, "amg needs the entries of A: this one is a shell");
  }
  err = ovk__agree(A->ctx, err);
  if (!err) err = amg_find_block(A, spec, &options);
  if (!err) err = amg_check(A, &options.symmetric);
  if (!err) {
    err = ovk__finite_or(ovk__amg_hierarchy_create(A, options, &M->hierarchy), A, "amg");
  }
  if (err) {
    if (M) amg_destroy(M);
    return err;
  }
  amg_describe(M);
  *state = M;
  return OVK_OK;
}

static ovk_err amg_update(const ovk_mat *A, void *state)
{
  amg *M = state;
  bool symmetric;
  amg_free_wide(M);
  OVK_TRY(amg_check(A, &symmetric));
  OVK_TRY(ovk__finite_or(ovk__amg_hierarchy_update(A, symmetric, &M->hierarchy), A, "amg"));
  amg_describe(M);
  return OVK_OK;
}

static ovk_err amg_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  ovk__amg_hierarchy *H = &((amg *)state)->hierarchy;
  const double start = MPI_Wtime();
  const ovk_err err = ovk__amg_cycle(H, r, z, poll);
  H->cycle_seconds += MPI_Wtime() - start;
  H->cycles++;
  return err;
}

static ovk_err amg_prepare_many(void *state, int width)
{
  amg *M = state;
  return M->wide[width] ? OVK_OK : ovk__amg_wide_create(&M->hierarchy, width, &M->wide[width]);
}

static ovk_err amg_apply_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  return ovk__amg_cycle(((const amg *)state)->wide[width], r, z, poll);
}

static int64_t amg_bytes(void *state)
{
  return ovk__amg_hierarchy_bytes(&((const amg *)state)->hierarchy);
}

static const char *amg_info(void *state)
{
  return ((const amg *)state)->info;
}

static const char *amg_warning(void *state)
{
  return ((const amg *)state)->warning;
}

static const char *amg_stale(void *state)
{
  switch (((const amg *)state)->hierarchy.options.update) {
  case OVK__AMG_RENEW_MATRICES:
    return "aggregates and prolongators are of old values: amg:update=values or update=all";
  case OVK__AMG_RENEW_PROLONGATORS:
    return "aggregates are of old values: amg:update=all";
  default:
    return NULL;
  }
}

static void amg_view(void *state, void *file)
{
  ovk__amg_view(&((const amg *)state)->hierarchy, file);
}

const ovk_precond_ops ovk__precond_amg = {
    .name = "amg",
    .aliases = "gamg",
    .summary = "algebraic multigrid by smoothed aggregation",
    .keys = amg_options,
    .apply = amg_apply,
    .setup = amg_setup,
    .destroy = amg_destroy,
    .bytes = amg_bytes,
    .update = amg_update,
    .info = amg_info,
    .warning = amg_warning,
    .view = amg_view,
    .stale = amg_stale,
    .any_partition = true,
    .apply_many = amg_apply_many,
    .prepare_many = amg_prepare_many,
};
