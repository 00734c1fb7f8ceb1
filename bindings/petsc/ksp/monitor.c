/* SPDX-License-Identifier: BSD-2-Clause */
/* Monitors, convergence tests and the current solution while a solve runs. */
#include "ksp/ksp.h"
#include "state/errors.h"

#include <float.h>

/* Others end a solve at iteration 0, by the test of PETSc, or are no numbers. */
static bool has_usual_tolerances(KSP ksp)
{
  return ksp->rtol < 1 && ksp->divtol > 1 && ksp->abstol <= DBL_MAX;
}

/* Such products have half of the digits. So the recomputed residual meets no small tolerance,
 * although Newton's method converges with x. */
static bool has_differences(KSP ksp)
{
  PetscBool differences = PETSC_FALSE;
  Mat A = NULL;
  (void)PCGetOperators(ksp->pc, &A, NULL);
  if (A) (void)PetscObjectTypeCompare((PetscObject)A, MATMFFD, &differences);
  return differences;
}

/* The default test of PETSc is that of the tolerances, unless its options change it. Without a
 * context it fails, with the message of PETSc. */
static bool is_plain(KSP ksp)
{
  const KSPConvergedDefaultCtx *test = ksp->cnvP;
  if (!test) return false;
  const bool initial = test->initialrtol || test->mininitialrtol;
  return has_usual_tolerances(ksp) && !has_differences(ksp) && ksp->chknorm <= 0 &&
         (ksp->guess_zero || !initial);
}

ovkpetsc_test ovkpetsc_choose_test(KSP ksp)
{
  if (ksp->converged == KSPConvergedSkip) return OVKPETSC_NO_TEST;
  if (ksp->converged != KSPConvergedDefault) return OVKPETSC_FUNCTION;
  if (ksp->normtype == KSP_NORM_NONE) return OVKPETSC_NO_TEST;
  return is_plain(ksp) ? OVKPETSC_TOLERANCES : OVKPETSC_FUNCTION;
}

static PetscErrorCode call_monitors(KSP ksp)
{
  PetscFunctionBegin;
  PetscCall(PetscObjectStateIncrease((PetscObject)ksp->vec_sol)); /* its array has changed */
  PetscCall(KSPLogResidualHistory(ksp, ksp->rnorm));
  PetscCall(KSPMonitor(ksp, ksp->its, ksp->rnorm));
  PetscFunctionReturn(0);
}

static PetscErrorCode call_test(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (K->test != OVKPETSC_FUNCTION) PetscFunctionReturn(0);
  PetscCall((*ksp->converged)(ksp, ksp->its, ksp->rnorm, &K->decided, ksp->cnvP));
  PetscFunctionReturn(0);
}

void ovkpetsc_show(KSP ksp, int iteration, double norm)
{
  ksp_ovk *K = ksp->data;
  ksp->its = K->before + iteration;
  ksp->rnorm = norm;
  K->monitoring = true;
  if (!K->failed) K->failed = call_monitors(ksp);
  const PetscErrorCode code = call_test(ksp);
  if (!K->failed) K->failed = code;
  K->monitoring = false;
}

/* Calls the test on all ranks, also after a failure on this one: it decides alike on all. */
int ovkpetsc_monitor(void *arg, const ovk_progress *progress)
{
  KSP ksp = arg;
  ksp_ovk *K = ksp->data;
  ovkpetsc_show(ksp, progress->iteration, progress->residual_norm);
  PetscErrorCode code = ovkpetsc_quick_verify(ksp, progress->iteration);
  if (!code) code = ovkpetsc_trust_judge(ksp, progress);
  if (!K->failed) K->failed = code;
  if (K->decided || K->now.quick.refuted || K->trusted) return OVK_MONITOR_STOP_NOW;
  return K->failed ? OVK_MONITOR_STOP : OVK_MONITOR_CONTINUE;
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
  ovk_err err = ovk_vec_wrap(ctx, ovk_mat_local_size(K->now.A), x, &wrapped);
  if (!err) err = ovk_solver_current_x(K->now.solver, wrapped);
  ovk_vec_destroy(&wrapped);
  PetscCall(VecRestoreArrayWrite(v, &x));
  OVKPETSC_CALL(ksp, ctx, err);
  PetscFunctionReturn(0);
}

/* Outside of a solve the vector of the KSP is the solution, for both sides of the PC. */
PetscErrorCode ovkpetsc_build_solution(KSP ksp, Vec v, Vec *out)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (!K->monitoring) {
    if (v) PetscCall(VecCopy(ksp->vec_sol, v));
    if (!v) v = ksp->vec_sol;
  } else {
    if (!v && !K->iterate) PetscCall(VecDuplicate(ksp->vec_sol, &K->iterate));
    if (!v) v = K->iterate;
    PetscCall(fill_current(ksp, v));
  }
  if (out) *out = v;
  PetscFunctionReturn(0);
}
