/* SPDX-License-Identifier: BSD-2-Clause */
/* KSPMatSolve(): several right-hand sides at once, as the columns of a dense matrix. */
#include "ksp/ksp.h"
#include "state/errors.h"

#include <stdlib.h>
#include <string.h>

/* Whether monitors, a history or a test of the program look at each iteration, on any rank. */
static PetscErrorCode is_watched(KSP ksp, bool *is)
{
  const bool flexible_test = ovkpetsc_choose_test(ksp) != OVKPETSC_TOLERANCES;
  int any = flexible_test || ksp->numbermonitors > 0 || ksp->res_hist;
  PetscFunctionBegin;
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, PetscObjectComm((PetscObject)ksp)));
  *is = any;
  PetscFunctionReturn(0);
}

/* The columns of ovkrylov, and their results. */
typedef struct many {
  ovk_multivec *b, *x;
  ovk_result *results;
} many;

static ovk_err many_solve(ksp_ovk *K, many *m, int n, const double *b, PetscInt ldb, double *x,
                          PetscInt ldx, bool from_zero)
{
  ovk_err err = ovk_mat_create_multivec(K->now.A, n, &m->b);
  if (!err) err = ovk_mat_create_multivec(K->now.A, n, &m->x);
  if (!err) err = ovk_multivec_set(m->b, 0, n, b, ldb);
  if (!err && !from_zero) err = ovk_multivec_set(m->x, 0, n, x, ldx);
  if (!err) err = ovk_solver_set_monitor(K->now.solver, NULL, NULL, 0);
  if (!err) err = ovk_solver_solve_many(K->now.solver, m->b, m->x, m->results);
  if (!err) err = ovk_multivec_get(m->x, 0, n, x, ldx);
  return err;
}

/* The KSP has vectors after KSPSolve() only; operators and PCs take their sizes from them. */
static PetscErrorCode make_vectors(KSP ksp)
{
  Mat A;
  PetscFunctionBegin;
  PetscCall(KSPGetOperators(ksp, &A, NULL));
  if (!ksp->vec_rhs) PetscCall(MatCreateVecs(A, NULL, &ksp->vec_rhs));
  if (!ksp->vec_sol) PetscCall(MatCreateVecs(A, &ksp->vec_sol, NULL));
  PetscFunctionReturn(0);
}

/* As KSPSolve() does, but not KSPMatSolve(). */
static void count_iterations(KSP ksp)
{
  ksp->totalits += ksp->its;
}

/* The result of a column, as a KSP has it. */
typedef struct outcome {
  KSPConvergedReason reason;
  PetscInt its;
  PetscReal rnorm;
  char why[sizeof((ksp_ovk *)0)->why];
} outcome;

static void outcome_get(KSP ksp, outcome *of)
{
  const ksp_ovk *K = ksp->data;
  of->reason = ksp->reason;
  of->its = ksp->its;
  of->rnorm = ksp->rnorm;
  memcpy(of->why, K->why, sizeof of->why);
}

static void outcome_set(KSP ksp, const outcome *of)
{
  ksp_ovk *K = ksp->data;
  ksp->reason = of->reason;
  ksp->its = of->its;
  ksp->rnorm = of->rnorm;
  memcpy(K->why, of->why, sizeof of->why);
}

/* The KSP has the outcome of a column. Views that or `*kept`, the one of the columns before it, and
 * keeps the other one: the first that failed, or else the last. */
static PetscErrorCode view_one_of_two(KSP ksp, outcome *kept)
{
  const outcome before = *kept;
  PetscFunctionBegin;
  if (before.reason > 0) {
    outcome_get(ksp, kept);
    outcome_set(ksp, &before);
  }
  PetscCall(KSPConvergedReasonViewFromOptions(ksp));
  PetscFunctionReturn(0);
}

/* One column after the other, as KSPSolve() solves it. Views the reasons of all columns but that of
 * the result, which KSPMatSolve() views. */
static PetscErrorCode solve_by_columns(KSP ksp, Mat B, Mat X)
{
  const Vec b = ksp->vec_rhs, x = ksp->vec_sol;
  PetscErrorCode code = 0;
  PetscInt columns;
  outcome kept = {0};
  PetscFunctionBegin;
  PetscCall(MatGetSize(B, NULL, &columns));
  for (PetscInt j = 0; j < columns && !code; j++) {
    PetscCall(MatDenseGetColumnVecRead(B, j, &ksp->vec_rhs));
    PetscCall(MatDenseGetColumnVec(X, j, &ksp->vec_sol));
    if (ksp->res_hist_reset) ksp->res_hist_len = 0;
    code = ovkpetsc_solve(ksp);
    count_iterations(ksp);
    PetscCall(MatDenseRestoreColumnVec(X, j, &ksp->vec_sol));
    PetscCall(MatDenseRestoreColumnVecRead(B, j, &ksp->vec_rhs));
    if (j == 0) outcome_get(ksp, &kept);
    if (j > 0 && !code) PetscCall(view_one_of_two(ksp, &kept));
  }
  if (columns > 0 && !code) outcome_set(ksp, &kept);
  ksp->vec_rhs = b;
  ksp->vec_sol = x;
  PetscCall(code);
  PetscFunctionReturn(0);
}

/* The result of the KSP is that of the last column, or of the worst one if it failed. KSPMatSolve()
 * views its reason, and this function those of the others. */
static PetscErrorCode report_columns(KSP ksp, const ovk_result *results, int n)
{
  const int worst = ovk_results_worst(results, n);
  const int shown = results[worst].reason > 0 ? n - 1 : worst;
  PetscFunctionBegin;
  for (int j = 0; j < n; j++) {
    if (j == shown) continue;
    PetscCall(ovkpetsc_report(ksp, &results[j]));
    count_iterations(ksp);
    PetscCall(KSPConvergedReasonViewFromOptions(ksp));
  }
  PetscCall(ovkpetsc_report(ksp, &results[shown]));
  count_iterations(ksp);
  PetscFunctionReturn(0);
}

static PetscErrorCode solve_arrays(KSP ksp, int n, const PetscScalar *b, PetscInt ldb,
                                   PetscScalar *x, PetscInt ldx)
{
  ksp_ovk *K = ksp->data;
  many m = {0};
  PetscFunctionBegin;
  PetscCall(ovkpetsc_context_of(PetscObjectComm((PetscObject)ksp), &K->context));
  PetscCall(ovkpetsc_direction_choose(ksp));
  K->test = OVKPETSC_TOLERANCES;
  K->decided = KSP_CONVERGED_ITERATING;
  K->failed = 0;
  K->before = 0;
  K->now.columns = true;
  PetscCall(ovkpetsc_solver_prepare(ksp, b, x));
  PetscCall(PetscCalloc1(n, &m.results));
  for (int j = 0; j < n; j++) m.results[j] = (ovk_result)OVK_RESULT;
  ovk_err err = many_solve(K, &m, n, b, ldb, x, ldx, ksp->guess_zero);
  const ovk_err kept = ovk_solver_set_monitor(K->now.solver, ovkpetsc_monitor, ksp, 0);
  if (!err) err = kept;
  ovk_multivec_destroy(&m.b);
  ovk_multivec_destroy(&m.x);
  PetscErrorCode code = 0;
  for (int j = 0; j < n && !err && !code; j++) {
    code = ovkpetsc_attained(ksp, b + (size_t)j * (size_t)ldb, x + (size_t)j * (size_t)ldx,
                             &m.results[j]);
  }
  if (!err && !code) code = report_columns(ksp, m.results, n);
  PetscCall(PetscFree(m.results));
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscCall(code);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_mat_solve(KSP ksp, Mat B, Mat X)
{
  const PetscScalar *b;
  PetscScalar *x;
  PetscInt n, ldb, ldx;
  bool watched;
  PetscFunctionBegin;
#if PETSC_VERSION_LT(3, 19, 0) /* without KSPMatSolveTranspose(): that of the last solve */
  ksp->transpose_solve = PETSC_FALSE;
#endif
  PetscCall(make_vectors(ksp));
  PetscCall(is_watched(ksp, &watched));
  if (watched) {
    PetscCall(solve_by_columns(ksp, B, X));
    PetscFunctionReturn(0);
  }
  PetscCall(MatGetSize(B, NULL, &n));
  PetscCall(MatDenseGetLDA(B, &ldb));
  PetscCall(MatDenseGetLDA(X, &ldx));
  PetscCall(MatDenseGetArrayRead(B, &b));
  PetscCall(MatDenseGetArray(X, &x));
  const PetscErrorCode code = n > 0 ? solve_arrays(ksp, (int)n, b, ldb, x, ldx) : 0;
  PetscCall(MatDenseRestoreArray(X, &x));
  PetscCall(MatDenseRestoreArrayRead(B, &b));
  PetscCall(code);
  PetscCall(ovkpetsc_tell_why(ksp));
  PetscFunctionReturn(0);
}
