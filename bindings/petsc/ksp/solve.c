/* SPDX-License-Identifier: BSD-2-Clause */
/* One solve of a KSP, and its result as a reason of PETSc. */
#include "ksp/ksp.h"
#include "state/arrays.h"
#include "state/errors.h"

#include <stdio.h>
#include <string.h>

/* Whether the KSP counts it as converged that all iterations have been made. */
static bool wants_all_iterations(KSP ksp)
{
  if (ksp->converged == KSPConvergedSkip) return true;
  if (ksp->converged != KSPConvergedDefault) return false;
  const KSPConvergedDefaultCtx *test = ksp->cnvP;
  return test && test->convmaxits;
}

/* Types of PETSc continue when ovkrylov detects that no iteration helps any more. Therefore outer
 * KSPs and PCs get DIVERGED_ITS, for an x that can be used. */
static KSPConvergedReason reason_of(KSP ksp, ovk_reason reason)
{
  const ksp_ovk *K = ksp->data;
  switch (reason) {
  case OVK_REASON_MONITOR:
    return K->decided;
  case OVK_REASON_CONVERGED_RTOL:
  case OVK_REASON_CONVERGED_ATOL:
  case OVK_REASON_CONVERGED_ZERO_RHS:
    return ksp->rnorm < ksp->abstol ? KSP_CONVERGED_ATOL : KSP_CONVERGED_RTOL;
  case OVK_REASON_MAXIT:
  case OVK_REASON_STAGNATED:
  case OVK_REASON_STAGNATED_RESTART:
    return wants_all_iterations(ksp) ? KSP_CONVERGED_ITS : KSP_DIVERGED_ITS;
  case OVK_REASON_BREAKDOWN_INDEFINITE_A:
    return KSP_DIVERGED_INDEFINITE_MAT;
  case OVK_REASON_BREAKDOWN_INDEFINITE_M:
    return KSP_DIVERGED_INDEFINITE_PC;
  case OVK_REASON_NAN:
    return KSP_DIVERGED_NANORINF;
  case OVK_REASON_DIVERGED:
    return KSP_DIVERGED_DTOL;
  default:
    return KSP_DIVERGED_BREAKDOWN;
  }
}

/* A PC that failed on some rank hands out Inf there, if it is applied at all. */
static PetscErrorCode look_for_failed_pc(KSP ksp)
{
  PCFailedReason mine;
  int failed;
  PetscFunctionBegin;
  PetscCall(PCGetFailedReason(ksp->pc, &mine));
  failed = mine != PC_NOERROR;
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, PetscObjectComm((PetscObject)ksp)));
  if (failed) ksp->reason = KSP_DIVERGED_PC_FAILED;
  PetscFunctionReturn(0);
}

/* Fails if a monitor or a test failed, also in the last iteration, or if tests differ. */
static PetscErrorCode agree_on_stop(KSP ksp)
{
  const ksp_ovk *K = ksp->data;
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  int most[2] = {(int)K->decided, -(int)K->decided};
  PetscFunctionBegin;
  PetscCall(ovkpetsc_agree(comm, K->failed));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT, MPI_MAX, comm));
  PetscCheck(most[0] == -most[1], comm, PETSC_ERR_USER,
             "the convergence test returned different reasons on different ranks, from %d to %d",
             -most[1], most[0]);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_report(KSP ksp, const ovk_result *res)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  const bool zero = res->reason == OVK_REASON_CONVERGED_ZERO_RHS; /* without an iteration */
  if (zero) ovkpetsc_show(ksp, 0, 0);
  const bool stopped = res->reason == OVK_REASON_MONITOR;
  if (zero || stopped || K->monitored) PetscCall(agree_on_stop(ksp));
  ksp->its = K->before + res->iterations;
  K->now.expected.products += res->iterations;
  K->context->products = K->now.expected.products;
  K->now.expected.solved = true;
  if (res->reason != OVK_REASON_MONITOR) ksp->rnorm = res->relative_residual * res->rhs_norm;
  ksp->reason = reason_of(ksp, res->reason);
  const bool unused = ksp->its == 0 && ksp->reason > 0; /* such as b = 0 */
  if (unused || ksp->reason == KSP_DIVERGED_NANORINF) PetscCall(look_for_failed_pc(ksp));
  K->why[0] = '\0';
  if (ksp->reason < 0) {
    const char *why = ovk_ctx_error(K->context->ctx);
    const bool space = strstr(why, "null_"); /* the message names options of ovkrylov */
    snprintf(K->why, sizeof K->why, "%s%s%s", why, ovkpetsc_method_advice(ksp),
             space ? "; in PETSc by MatSetNullSpace() and MatSetTransposeNullSpace()" : "");
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_tell_why(KSP ksp)
{
  const ksp_ovk *K = ksp->data;
  PetscObject object = (PetscObject)ksp;
  PetscViewer viewer;
  PetscBool ascii, wanted;
  PetscFunctionBegin;
  if (!K->why[0]) PetscFunctionReturn(0);
  PetscCall(PetscInfo(ksp, "ovkrylov: %s\n", K->why));
  PetscCheck(!ksp->errorifnotconverged || ksp->reason == KSP_DIVERGED_ITS, PetscObjectComm(object),
             PETSC_ERR_NOT_CONVERGED, "ovkrylov: %s", K->why);
  PetscCall(PetscOptionsCreateViewer(PetscObjectComm(object), object->options, object->prefix,
                                     "-ksp_converged_reason", &viewer, NULL, &wanted));
  if (!wanted) PetscFunctionReturn(0);
  PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
  if (ascii) PetscCall(PetscViewerASCIIPrintf(viewer, "ovkrylov: %s\n", K->why));
  PetscCall(PetscViewerDestroy(&viewer));
  PetscFunctionReturn(0);
}

static PetscErrorCode prepare_and_solve(KSP ksp, const double *b, double *x, ovk_result *res)
{
  const ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_solver_prepare(ksp, b, x));
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_solver_solve(K->now.solver, K->now.b, K->now.x, res));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve_arrays(KSP ksp, const double *b, double *x)
{
  ksp_ovk *K = ksp->data;
  ovk_result res = OVK_RESULT;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_context_of(PetscObjectComm((PetscObject)ksp), &K->context));
  PetscCall(ovkpetsc_direction_choose(ksp));
  K->test = ovkpetsc_choose_test(ksp);
  K->decided = KSP_CONVERGED_ITERATING;
  K->failed = 0;
  K->before = 0;
  K->now.columns = K->trusted = false;
  PetscCall(prepare_and_solve(ksp, b, x, &res));
  const bool distrusted = K->trusted && !ovkpetsc_trust_holds(K, &res);
  if (distrusted || ovkpetsc_quick_ends(ksp, &res)) {
    K->before = res.iterations;
    K->now.expected.products += res.iterations;
    PetscCall(prepare_and_solve(ksp, b, x, &res));
  }
  PetscCall(ovkpetsc_attained(ksp, b, x, &res));
  PetscCall(ovkpetsc_report(ksp, &res));
  PetscFunctionReturn(0);
}

bool ovkpetsc_can_solve(KSP ksp)
{
  return ovkpetsc_lend_has_array(ksp->vec_rhs) && ovkpetsc_lend_has_array(ksp->vec_sol);
}

PetscErrorCode ovkpetsc_solve(KSP ksp)
{
  const PetscScalar *b;
  PetscScalar *x;
  PetscFunctionBegin;
  PetscCheck(ovkpetsc_can_solve(ksp), PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
             "vectors of type '%s' have no array, which -ksp_type ovk needs: select another type",
             ((PetscObject)ksp->vec_rhs)->type_name);
  PetscCall(VecGetArrayRead(ksp->vec_rhs, &b));
  PetscCall(VecGetArray(ksp->vec_sol, &x));
  const PetscErrorCode code = solve_arrays(ksp, b, x);
  PetscCall(VecRestoreArray(ksp->vec_sol, &x));
  PetscCall(VecRestoreArrayRead(ksp->vec_rhs, &b));
  PetscCall(code);
  PetscCall(ovkpetsc_tell_why(ksp));
  PetscFunctionReturn(0);
}
