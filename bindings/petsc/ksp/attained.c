/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a solve has converged although its recomputed residual stays above the tolerance. A PC
 * may enlarge the rounding errors of b - A x, as multigrid cycles of a singular matrix do in its
 * null space, or the tolerance may be below the rounding errors. Then ||b - A x|| decides: it must
 * meet rtol, or be no larger than the rounding errors of a product. So has a solve that cannot
 * continue until -ksp_check_norm_iteration, as with an exact PC, if the test of PETSc says so. A
 * solve whose user-defined test wants more iterations, but whose residual is 0 up to rounding, has
 * a happy breakdown. */
#include "ksp/ksp.h"
#include "system/system.h"

#include <float.h>
#include <math.h>

/* Restarts from the recomputed residual leave so many times the rounding errors of a product. */
static const double ERRORS = 10;

/* Whether rounding may be all that has stopped a solve: the residual of its recurrence meets the
 * tolerance, or has met it before a restart. */
static bool may_be_attained(const ksp_ovk *K, const ovk_result *res)
{
  const bool failed = res->reason < 0 && res->reason != OVK_REASON_MONITOR;
  const bool met = res->restarts > 0 || res->relative_residual * res->rhs_norm <= res->tolerance;
  return K->test == OVKPETSC_TOLERANCES && failed && met && res->true_relative_residual >= 0;
}

/* *bound <- a bound of the rounding errors of A x over ||b||; infinite for most types of A. */
static PetscErrorCode bound_errors(KSP ksp, const double *b, const double *x, double *bound)
{
  const ksp_ovk *K = ksp->data;
  double W, squares[2] = {0};
  Mat A;
  PetscFunctionBegin;
  PetscCall(PCGetOperators(ksp->pc, &A, NULL));
  PetscCall(ovkpetsc_rounding_bound(A, &W));
  for (ovk_lidx i = 0; i < ovk_mat_local_size(K->now.A); i++) {
    squares[0] += x[i] * x[i];
    squares[1] += b[i] * b[i];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, squares, 2, MPI_DOUBLE, MPI_SUM,
                             PetscObjectComm((PetscObject)ksp)));
  *bound = DBL_EPSILON / 2 * W * sqrt(squares[0] / squares[1]);
  PetscFunctionReturn(0);
}

/* Whether a solve with a test as a function ended because no iteration could reduce its residual.
 */
static bool ended_early(const ksp_ovk *K, const ovk_result *res)
{
  return K->test == OVKPETSC_FUNCTION && res->reason < 0 && res->reason != OVK_REASON_MONITOR &&
         res->reason != OVK_REASON_MAXIT && res->reason != OVK_REASON_NAN;
}

/* Whether the default test of PETSc still waited for an iteration when a solve ended because no
 * iteration could reduce its residual. */
static bool ended_before_test(KSP ksp, const ovk_result *res)
{
  const ksp_ovk *K = ksp->data;
  return ended_early(K, res) && ksp->converged == KSPConvergedDefault && ksp->chknorm > 0;
}

/* The test, as of the first iteration for which it does not wait. */
static PetscErrorCode test_at_end(KSP ksp, ovk_result *res)
{
  ksp_ovk *K = ksp->data;
  const PetscInt iteration = PetscMax(res->iterations, ksp->chknorm) + 1;
  KSPConvergedReason reason;
  PetscFunctionBegin;
  PetscCall(KSPConvergedDefault(ksp, iteration, res->relative_residual * res->rhs_norm, &reason,
                                ksp->cnvP));
  if (reason <= 0) PetscFunctionReturn(0);
  K->decided = reason;
  res->reason = OVK_REASON_MONITOR;
  PetscFunctionReturn(0);
}

/* Whether the residual, tested by a function of the user, is 0 up to the rounding of b. */
static bool is_solved(KSP ksp, const ovk_result *res)
{
  return ended_early(ksp->data, res) && ksp->converged != KSPConvergedDefault &&
         res->true_relative_residual >= 0 && res->true_relative_residual <= ERRORS * DBL_EPSILON;
}

PetscErrorCode ovkpetsc_attained(KSP ksp, const double *b, const double *x, ovk_result *res)
{
  ksp_ovk *K = ksp->data;
  double bound;
  PetscFunctionBegin;
  if (ended_before_test(ksp, res)) PetscCall(test_at_end(ksp, res));
  if (is_solved(ksp, res)) {
    K->decided = KSP_CONVERGED_HAPPY_BREAKDOWN;
    res->reason = OVK_REASON_MONITOR;
  }
  if (!may_be_attained(K, res)) PetscFunctionReturn(0);
  bool attained = res->true_relative_residual <= K->now.opts.rtol;
  if (!attained && !ksp->transpose_solve) {
    PetscCall(bound_errors(ksp, b, x, &bound));
    attained = isfinite(bound) && res->true_relative_residual <= ERRORS * bound;
  }
  if (attained) res->reason = OVK_REASON_CONVERGED_RTOL;
  PetscFunctionReturn(0);
}
