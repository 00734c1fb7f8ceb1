/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether GMRES may end at the norm of its recurrence. From the left, one more application of the
 * PC would recompute that as the norm of M^-1 (b - A x). It is omitted for a multigrid cycle or a
 * factorization, which are linear, if rounding errors cannot have moved the norm above the
 * tolerance, and if b - A x, which is recomputed, agrees. Otherwise the solve continues and
 * confirms its end. */
#include "ksp/ksp.h"
#include "state/errors.h"
#include "system/system.h"

#include <float.h>
#include <math.h>

/* The errors of an application of the PC, as a multiple of those of a product before it. */
static const double ERRORS = 10;

/* Errors up to this fraction of the tolerance change no decision. */
static const double HARMLESS = 1e-2;

/* A PC enlarges b - A x by more than this fraction of how it enlarges b, unless it is not linear
 * and b - A x is larger than the recurrence says. */
static const double LEAST = 1e-4;

/* In the first cycle from x = 0, for a matrix that bounds its rounding errors. */
static bool may_end(KSP ksp, const ovk_progress *progress)
{
  const ksp_ovk *K = ksp->data;
  const ovk_solver_opts *o = &K->now.opts;
  const bool linear = K->now.pc_class & OVKPETSC_STRONG && !(K->now.pc_class & OVKPETSC_UNKNOWN);
  const bool bounded = K->now.in_place && !(K->now.quick.facts & OVKPETSC_NOT_SAMPLED);
  const bool plain = !ksp->transpose_solve && ksp->guess_zero && !o->guesses &&
                     !ovkpetsc_nullspace_is_given(o) && !K->before;
  const bool now = progress->iteration > 0 && progress->iteration < OVKPETSC_RESTART &&
                   progress->residual_norm <= progress->tolerance;
  return K->now.quick.restarts && !K->distrusts && linear && bounded && plain && now &&
         K->test == OVKPETSC_TOLERANCES && o->norm == OVK_NORM_PRECONDITIONED;
}

static PetscErrorCode measure_x(KSP ksp, double *norm)
{
  const ksp_ovk *K = ksp->data;
  ovk_vec *x = NULL;
  PetscFunctionBegin;
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_create_vec(K->now.A, &x));
  ovk_err err = ovk_solver_current_x(K->now.solver, x);
  if (!err) err = ovk_vec_norm(x, norm);
  ovk_vec_destroy(&x);
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscFunctionReturn(0);
}

/* x is V y, so the sum of |y_j| is at most the root of their number times ||x||. The PC is taken to
 * enlarge errors as it has enlarged b. */
PetscErrorCode ovkpetsc_trust_judge(KSP ksp, const ovk_progress *progress)
{
  ksp_ovk *K = ksp->data;
  double of_b, of_x, W;
  Mat A;
  PetscFunctionBegin;
  if (!may_end(ksp, progress)) PetscFunctionReturn(0);
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_vec_norm(K->now.b, &of_b));
  PetscCall(measure_x(ksp, &of_x));
  PetscCall(PCGetOperators(ksp->pc, &A, NULL));
  PetscCall(ovkpetsc_rounding_bound(A, &W));
  const double n = progress->iteration, enlarged = progress->rhs_norm / of_b;
  const double product = DBL_EPSILON / 2 * W * (sqrt(n) + 2) * of_x;
  const double moved = ERRORS * (enlarged * product + DBL_EPSILON * n * progress->rhs_norm);
  K->trusted = moved <= HARMLESS * progress->tolerance;
  PetscFunctionReturn(0);
}

bool ovkpetsc_trust_holds(ksp_ovk *K, ovk_result *res)
{
  const bool agrees = res->relative_residual >= LEAST * res->true_relative_residual;
  K->trusted = false;
  K->distrusts = !agrees;
  if (agrees) res->reason = OVK_REASON_CONVERGED_RTOL;
  return agrees;
}
