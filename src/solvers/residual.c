/* SPDX-License-Identifier: BSD-2-Clause */
/* Recomputes residuals and their squares. */
#include "solvers/residual.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/rounding.h"

#include <float.h>
#include <math.h>

/* The norm of r has left M^-1 r in work[OVK__WORK_SCRATCH], if it needs that. */
static void residual_keep_first_z(ovk_solver *S)
{
  S->first_z = S->opts.norm == OVK_NORM_UNPRECONDITIONED ? NULL : S->work[OVK__WORK_SCRATCH];
}

/* A may have no entry for an entry of x that is NaN or Inf. */
static bool residual_has_finite_x(const ovk_vec *x)
{
  int wrong = 0;
  for (ovk_lidx i = 0; i < x->layout.local; i++) wrong |= !(fabs(x->array[i]) <= DBL_MAX);
  return !wrong;
}

/* work[OVK__WORK_R] <- b - A x; returns this rank's part of its square. */
static double residual_again(ovk_solver *S)
{
  double bb;
  const double rr = ovk__op_residual(S, S->x, S->work[OVK__WORK_R], &bb);
  return residual_has_finite_x(S->x) ? rr : NAN;
}

ovk_err ovk__residual_first(ovk_solver *S, bool x_is_zero, ovk__square *b, ovk__square *r)
{
  ovk_vec **work = S->work;
  r->plain = ovk__op_residual(S, x_is_zero ? NULL : S->x, work[OVK__WORK_R], &b->plain);
  b->test = ovk__op_norm_of(S, b->plain, S->b, work[OVK__WORK_SCRATCH]);
  r->test = x_is_zero ? b->test
                      : ovk__op_norm_of(S, r->plain, work[OVK__WORK_R], work[OVK__WORK_SCRATCH]);
  residual_keep_first_z(S);
  if (!x_is_zero && !residual_has_finite_x(S->x)) r->plain = NAN;
  double rounding[OVK__ROUNDING_SUMS];
  ovk__rounding_parts(S, x_is_zero, rounding);
  OVK_TRY(ovk__op_reduce_squares(S, b, r, rounding));
  ovk__rounding_take_totals(S, rounding);
  return OVK_OK;
}

/* The global squares of r in work[OVK__WORK_R]; rr is this rank's part. */
static ovk_err residual_add_squares(ovk_solver *S, double rr, ovk__square *r)
{
  ovk__square none = {0};
  *r = (ovk__square){rr, ovk__op_norm_of(S, rr, S->work[OVK__WORK_R], S->work[OVK__WORK_SCRATCH])};
  residual_keep_first_z(S);
  return ovk__op_reduce_squares(S, &none, r, NULL);
}

ovk_err ovk__residual_later(ovk_solver *S, ovk__square *r)
{
  S->rounding.product = 0; /* the bounds are for one start */
  return residual_add_squares(S, residual_again(S), r);
}

/* Whether the last iteration's norm of M^-1 r may stand for that of b - A x. Only an application of
 * a user's M is saved, which may be a multigrid cycle, and only in methods that apply M^-1 to r
 * itself. Methods that complete x at their end have no r. */
static bool residual_may_stand(const ovk_solver *S)
{
  const bool has_r = !S->active->fallback && !S->active->complete;
  return S->reason != OVK_REASON_NOT_RUN && ovk__is_silent(S) && has_r &&
         S->opts.norm != OVK_NORM_UNPRECONDITIONED;
}

/* Whether the gap between r and b - A x, given by their squares, does not change the norm of M^-1
 * r. It must not even if M^-1 enlarges the gap as it has enlarged b, or a hundred times as r. */
static bool residual_agrees(const ovk_solver *S, double gg, double rr)
{
  static const double SAME = 1e-4, SAME_NORM = 1e-3;
  const double enlarged = sqrt(gg / S->norms.plain_bb) * S->norms.b;
  return gg <= SAME * SAME * rr && enlarged <= SAME_NORM * sqrt(S->norms.rr);
}

/* r->plain <- its total over the ranks; r->test <- the last iteration's. *other is another sum. */
static ovk_err residual_reduce_plain(ovk_solver *S, ovk__square *other, ovk__square *r)
{
  OVK_TRY(ovk__op_reduce_squares(S, other, r, NULL));
  S->first_z = NULL;
  r->test = S->norms.rr;
  return OVK_OK;
}

/* A solve that its monitor has stopped needs no norm of M^-1 r: no decision is left. */
static ovk_err residual_of_stopped(ovk_solver *S, ovk__square *r)
{
  ovk__square none = {0};
  *r = (ovk__square){.plain = residual_again(S)};
  return residual_reduce_plain(S, &none, r);
}

/* Whether rounding errors cannot have moved the norm of M^-1 (b - A x) above the tolerance that r
 * meets. */
static bool residual_is_certain(const ovk_solver *S)
{
  static const double SAME_NORM = 1e-3;
  const ovk__rounding *B = &S->rounding;
  const bool scaled = S->scale.A || S->scale.M || S->scale.b;
  if (!(B->product > 0) || S->reason <= 0 || scaled) return false;
  if (S->M_kind != OVK__M_OTHER) return B->diagonal * B->gap <= SAME_NORM * S->norms.tolerance;
  const double gap =
      B->gap * sqrt(S->norms.rr) / S->norms.tolerance; /* as if r were at the tolerance */
  return residual_may_stand(S) && residual_agrees(S, gap * gap, B->least_r * B->least_r);
}

ovk_err ovk__residual_last(ovk_solver *S, ovk__square *r)
{
  ovk_vec *residual = S->work[OVK__WORK_R], *gap = S->work[OVK__WORK_SCRATCH];
  if (S->reason == OVK_REASON_MONITOR) return residual_of_stopped(S, r);
  if (residual_is_certain(S)) {
    *r = (ovk__square){.plain = -1, .test = S->norms.rr};
    return OVK_OK;
  }
  S->rounding.product = 0;
  if (!residual_may_stand(S)) return ovk__residual_later(S, r);
  ovk__vec_copy(residual, gap);
  const double rr = residual_again(S);
  ovk__op_axpy(S, -1, residual, gap, ovk_poll_none());
  ovk__square g = {.plain = ovk__part_dot(S, gap->array, gap->array)};
  *r = (ovk__square){.plain = rr};
  OVK_TRY(residual_reduce_plain(S, &g, r));
  return residual_agrees(S, g.plain, r->plain) ? OVK_OK : residual_add_squares(S, rr, r);
}
