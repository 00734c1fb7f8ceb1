/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "boomeramg", made by spec on any assembled matrix. */
#include "boomeramg.h"
#include "ovk_hypre.h"
#include "precond.h"

#include <_hypre_parcsr_ls.h>
#include <_hypre_utilities.h>
#include <stdio.h>

/* Unknowns of several functions are taken in turn, by default those of the blocks of A. */
static ovk_err find_functions(const ovk_mat *A, const ovk_spec *spec, long *functions)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_TRY(ovk_spec_int(ctx, spec, ovk__boomeramg_options, "functions", functions));
  if (*functions == 0) *functions = ovk_mat_block_size(A);
  if (ovk_mat_size(A) % *functions == 0) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                      "boomeramg: functions is %ld, of which %lld rows are no multiple", *functions,
                      (long long)ovk_mat_size(A));
}

static ovk_err make_solver(const ovk_mat *A, const ovk_spec *spec, ovk__hypre_solver *out)
{
  *out =
      (ovk__hypre_solver){NULL, HYPRE_BoomerAMGSetup, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGDestroy};
  long functions;
  OVK_TRY(find_functions(A, spec, &functions));
  OVK_TRY(ovk__boomeramg_create(ovk_mat_ctx(A), spec, &out->solver));
  OVK_TRY_HYPRE(ovk_mat_ctx(A), HYPRE_BoomerAMGSetNumFunctions(out->solver, (HYPRE_Int)functions));
  return OVK_OK;
}

/* P->info <- the number of levels and their memory */
static void describe(ovk__hypre_precond *P)
{
  hypre_ParAMGData *amg = (hypre_ParAMGData *)P->with.solver;
  const HYPRE_Int levels = hypre_ParAMGDataNumLevels(amg);
  hypre_ParCSRMatrix **A = hypre_ParAMGDataAArray(amg);
  double rows = 0, entries = 0;
  for (HYPRE_Int k = 0; k < levels; k++) {
    rows += (double)hypre_ParCSRMatrixGlobalNumRows(A[k]);
    entries += hypre_ParCSRMatrixDNumNonzeros(A[k]);
  }
  snprintf(P->info, sizeof P->info,
           "%d levels, %.3g times the rows and %.3g times the entries of A", (int)levels,
           rows / (double)hypre_ParCSRMatrixGlobalNumRows(A[0]),
           entries / hypre_ParCSRMatrixDNumNonzeros(A[0]));
}

static ovk_err boomeramg_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  ovk_err err;
  (void)user;
  *state = NULL;
  ovk__hypre_precond *P = ovk__hypre_precond_open(ovk_mat_ctx(A), &err);
  if (!P) return err;
  err = make_solver(A, spec, &P->with);
  if (!ovk__hypre_all_well(P->comm, err)) {
    ovk__hypre_precond_destroy(P);
    return err;
  }
  err = ovk__hypre_precond_set_up(A, P, state);
  if (*state) describe(P);
  return err;
}

static ovk_err update(const ovk_mat *A, void *state)
{
  const ovk_err err = ovk__hypre_precond_update(A, state);
  if (!err) describe(state);
  return err;
}

static int64_t bytes_of(hypre_CSRMatrix *M)
{
  const int64_t entries = hypre_CSRMatrixNumNonzeros(M), rows = hypre_CSRMatrixNumRows(M);
  return entries * (int64_t)(sizeof(HYPRE_Complex) + sizeof(HYPRE_Int)) +
         (rows + 1) * (int64_t)sizeof(HYPRE_Int);
}

static int64_t bytes_of_both(hypre_ParCSRMatrix *M)
{
  return bytes_of(hypre_ParCSRMatrixDiag(M)) + bytes_of(hypre_ParCSRMatrixOffd(M));
}

/* The matrices of all levels and the interpolations between them. */
static int64_t bytes(void *state)
{
  const ovk__hypre_precond *P = state;
  hypre_ParAMGData *amg = (hypre_ParAMGData *)P->with.solver;
  int64_t sum = 0;
  for (HYPRE_Int k = 0; k < hypre_ParAMGDataNumLevels(amg); k++) {
    sum += bytes_of_both(hypre_ParAMGDataAArray(amg)[k]);
    if (k) sum += bytes_of_both(hypre_ParAMGDataPArray(amg)[k - 1]);
  }
  return sum;
}

static const char *info(void *state)
{
  return ((const ovk__hypre_precond *)state)->info;
}

ovk_err ovk_hypre_register(ovk_ctx *ctx)
{
  static const ovk_precond_ops ops = {
      .size = sizeof ops,
      .name = "boomeramg",
      .summary = "BoomerAMG, the algebraic multigrid of hypre",
      .keys = ovk__boomeramg_options,
      .apply = ovk__hypre_precond_apply,
      .setup = boomeramg_setup,
      .destroy = ovk__hypre_precond_destroy,
      .bytes = bytes,
      .update = update,
      .info = info,
      .never_polls = true,
  };
  return ovk_precond_register(ctx, &ops, NULL);
}
