/* SPDX-License-Identifier: BSD-2-Clause */
/* What PETSc sees of a solve while it runs: monitors, convergence tests, the solution so far. */
#include "ksp_ovk.h"

/* PETSc's default test is the one of the tolerances, unless its options change it. */
static bool is_plain(KSP ksp)
{
  const KSPConvergedDefaultCtx *test = ksp->cnvP;
  const bool initial = test->initialrtol || test->mininitialrtol;
  return ksp->chknorm <= 0 && (ksp->guess_zero || !initial);
}

ovkpetsc_test ovkpetsc_choose_test(KSP ksp)
{
  if (ksp->converged == KSPConvergedSkip) return OVKPETSC_NO_TEST;
  if (ksp->converged != KSPConvergedDefault) return OVKPETSC_FUNCTION;
  if (ksp->normtype == KSP_NORM_NONE) return OVKPETSC_NO_TEST;
  return is_plain(ksp) ? OVKPETSC_TOLERANCES : OVKPETSC_FUNCTION;
}

static PetscErrorCode show(KSP ksp, const ovk_progress *progress)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  ksp->its = progress->iteration;
  ksp->rnorm = progress->residual_norm;
  PetscCall(PetscObjectStateIncrease((PetscObject)ksp->vec_sol)); /* its array has changed */
  PetscCall(KSPLogResidualHistory(ksp, ksp->rnorm));
  PetscCall(KSPMonitor(ksp, ksp->its, ksp->rnorm));
  if (K->test == OVKPETSC_FUNCTION && !K->decided) {
    PetscCall((*ksp->converged)(ksp, ksp->its, ksp->rnorm, &K->decided, ksp->cnvP));
  }
  PetscFunctionReturn(0);
}

int ovkpetsc_monitor(void *arg, const ovk_progress *progress)
{
  KSP ksp = arg;
  ksp_ovk *K = ksp->data;
  if (K->failed) return 1;
  K->monitoring = true;
  K->failed = show(ksp, progress);
  K->monitoring = false;
  return K->failed || K->decided;
}

/* v <- the solution as of this iteration */
static PetscErrorCode fill_current(KSP ksp, Vec v)
{
  const ksp_ovk *K = ksp->data;
  ovk_ctx *ctx = K->context->ctx;
  ovk_vec *wrapped = NULL;
  PetscScalar *x;
  PetscFunctionBegin;
  PetscCall(VecGetArrayWrite(v, &x));
  ovk_err err = ovk_vec_wrap(ctx, ovk_mat_local_size(K->A), x, &wrapped);
  if (!err) err = ovk_solver_current_x(K->solver, wrapped);
  ovk_vec_destroy(&wrapped);
  PetscCall(VecRestoreArrayWrite(v, &x));
  OVKPETSC_CALL(ksp, ctx, err);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_build_solution(KSP ksp, Vec v, Vec *out)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (!K->monitoring) {
    PetscCall(KSPBuildSolutionDefault(ksp, v, out));
    PetscFunctionReturn(0);
  }
  if (!v && !K->iterate) PetscCall(VecDuplicate(ksp->vec_sol, &K->iterate));
  if (!v) v = K->iterate;
  PetscCall(fill_current(ksp, v));
  if (out) *out = v;
  PetscFunctionReturn(0);
}
