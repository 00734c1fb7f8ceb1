/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices, smoother and vectors of a level. A nonsymmetric matrix is treated as its symmetric part
 * is, with less smoothing of P: each smoothing multiplies the skewness of the next level, up to 10
 * times with 7 points. */
#include "precond/amg/level.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/memory_limit.h"
#include "matrix/float/float_copy.h"
#include "precond/amg/aggregation/symmetric_part.h"
#include "precond/amg/operators/galerkin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The largest skewness of A, and of coarse levels; above that the smoother may diverge. */
static const double MOST_SKEWNESS = 0.75, MOST_COARSE_SKEWNESS = 8;

/* With more, the prolongator is smoothed less. */
static const double FULLY_SMOOTHED = 0.25;

/* An eigenvalue x + i y of D^-1 A has y^2 <= 2 q^2 x with the skewness q. A step of damping 1 /
 * lambda does not amplify its vector if lambda >= 2 q^2 + x; less is enough in a cycle. */
static const double SKEW_PART = 0.2;

static ovk_err level_allocate(ovk__amg_level *level)
{
  ovk_ctx *ctx = level->A->ctx;
  const ovk_lidx n = level->layout.local;
  if (level->number == 0) return OVK_OK;
  OVK_NEW_ZEROS(ctx, level->b, n);
  OVK_NEW_ZEROS(ctx, level->x, n);
  if (level->twice) OVK_NEW_ZEROS(ctx, level->kept, n);
  return OVK_OK;
}

static ovk_err level_count_ranks(ovk_ctx *ctx, ovk__amg_level *level)
{
  double ranks = level->layout.local > 0;
  const ovk_err err = ovk__total(ctx, &ranks, 1, MPI_SUM);
  level->ranks = (int)ranks;
  return ovk__agree(ctx, err);
}

ovk_err ovk__amg_check_memory(ovk_ctx *ctx, int level, double rows, double entries, double all_rows,
                              double all_entries)
{
  const double row = 6 * sizeof(double); /* strength, aggregates and the prolongator, at least */
  const double entry = sizeof(double) + sizeof(ovk_lidx);
  char what[128];
  snprintf(what, sizeof what, "the setup of amg for level %d with %.4g rows and %.4g entries",
           level, all_rows, all_entries);
  return ovk__memory_check(ctx, what, row * rows + entry * entries,
                           row * all_rows + entry * all_entries);
}

void ovk__amg_level_set_matrix(ovk__amg_level *level, ovk_mat *A)
{
  level->A = A;
  level->nnz = A->nnz;
  level->bytes = A->bytes;
}

ovk_err ovk__amg_level_create(int number, int stride, bool twice, ovk_mat *A, ovk__amg_level *out)
{
  *out = (ovk__amg_level){.number = number, .layout = A->layout, .stride = stride, .twice = twice};
  ovk__amg_level_set_matrix(out, A);
  OVK_TRY(level_count_ranks(A->ctx, out));
  return ovk__agree(A->ctx, level_allocate(out));
}

void ovk__amg_level_clear_values(ovk__amg_level *level)
{
  if (level->number) ovk_mat_destroy(&level->A);
  ovk_mat_destroy(&level->S);
  ovk_mat_destroy(&level->F);
  ovk__amg_smoother_free(&level->smoother);
}

void ovk__amg_level_free(ovk__amg_level *level)
{
  ovk__amg_level_clear_values(level);
  ovk__amg_transfer_free(&level->P);
  ovk__amg_sums_pattern_free(&level->next);
  free(level->b);
  free(level->x);
  free(level->kept);
  *level = (ovk__amg_level){0};
}

/* Finds the symmetric part. */
static ovk_err level_split(ovk__amg_level *level)
{
  ovk_ctx *ctx = level->A->ctx;
  const double most = level->number ? MOST_COARSE_SKEWNESS : MOST_SKEWNESS;
  ovk__amg_rows rows;
  ovk__amg_rows_begin(level->A, &rows);
  ovk_err err = ovk__amg_symmetric_part(&rows, &level->S, &level->skewness);
  if (!err && level->A->ordered) err = ovk__mat_put_in_order(level->S);
  ovk__amg_rows_free(&rows);
  if (err) return err;
  OVK_CHECK(level->skewness <= most, ctx, OVK_ERR_ARG,
            "amg: the skew part of a row of level %d is %.3g of its symmetric part, %.3g is the "
            "most: for this matrix use ilu or bjacobi",
            level->number, level->skewness, most);
  return OVK_OK;
}

/* From the third level on a product takes hardly any time on few ranks, and with one more of them
 * in the smoother the number of iterations grows less with the size. */
static int level_degree(const ovk__amg_options *options, const ovk__amg_level *level)
{
  return options->degree + (level->number > 1 ? 1 : 0);
}

ovk_err ovk__amg_level_add_smoother(const ovk__amg_options *options, ovk__amg_level *level)
{
  level->skewness = 0;
  if (!options->symmetric) OVK_TRY(level_split(level));
  OVK_TRY(ovk__amg_smoother_create(level->A, ovk__amg_level_symmetric(level), level->number,
                                   level_degree(options, level), &level->smoother));
  level->smoother.lambda += SKEW_PART * level->skewness * level->skewness;
  return OVK_OK;
}

double ovk__amg_level_damping(const ovk__amg_options *options, const ovk__amg_level *level)
{
  const double part = FULLY_SMOOTHED / fmax(level->skewness, FULLY_SMOOTHED);
  return part * options->omega / level->smoother.largest;
}

ovk_err ovk__amg_level_multiply(const ovk__amg_options *options, ovk__amg_level *level,
                                ovk__amg_rows *rows, const ovk__amg_entries *P,
                                const ovk__layout *coarse, ovk_mat **A, uint64_t *hash)
{
  ovk__amg_rows own;
  /* with several modes the pattern depends on values */
  const bool keeps = options->update == OVK__AMG_RENEW_MATRICES && level->modes == 1;
  ovk__amg_sums_pattern *next = keeps ? &level->next : NULL;
  if (!level->S) return ovk__amg_galerkin(rows, P, level->modes, coarse, true, next, A, hash);
  ovk__amg_rows_begin(level->A, &own);
  const ovk_err err = ovk__amg_galerkin(&own, P, level->modes, coarse, false, NULL, A, hash);
  ovk__amg_rows_free(&own);
  return err;
}

/* Bytes of an entry: half a float, as in symmetric formats. Formats with fewer bytes store equal
 * values once. */
enum { LEAST_BYTES = 2 };

ovk_err ovk__amg_level_copy(const ovk__amg_options *options, ovk__amg_level *level)
{
  ovk_ctx *ctx = level->A->ctx;
  ovk_vec *scale = NULL;
  bool few = level->A->format->bytes(level->A->local) < LEAST_BYTES * level->A->local_nnz;
  ovk_mat_destroy(&level->S);
  if (!options->in_float || level->A->ordered) return OVK_OK;
  OVK_TRY(ovk__agree_flag(ctx, OVK_OK, &few));
  if (few) return OVK_OK;
  const ovk_err err = ovk__mat_copy_float(level->A, &level->F, &scale);
  if (err == OVK_ERR_RANGE || scale) ovk_mat_destroy(&level->F);
  ovk_vec_destroy(&scale);
  if (err && err != OVK_ERR_RANGE) return err;
  ovk__clear_message(ctx);
  if (!level->F) return OVK_OK;
  level->smoother.A = level->F;
  level->bytes = level->F->bytes;
  if (level->number) ovk_mat_destroy(&level->A);
  return OVK_OK;
}

int64_t ovk__amg_level_bytes(const ovk__amg_level *level)
{
  const int64_t vectors = (level->b ? 2 : 0) + (level->kept ? 1 : 0);
  int64_t bytes = ovk__amg_smoother_bytes(&level->smoother) + ovk__amg_transfer_bytes(&level->P) +
                  ovk__amg_sums_pattern_bytes(&level->next) +
                  vectors * level->layout.local * (int64_t)sizeof(double);
  if (level->smoother.A && (level->number || level->F)) {
    bytes += level->bytes / ovk_ctx_size(level->smoother.A->ctx); /* which are of all ranks */
  }
  return bytes;
}
