/* SPDX-License-Identifier: BSD-2-Clause */
/* Recomputes residuals and their squares. */
#include "solvers/residual.h"
#include "solvers/kernels/updates.h"

/* The norm of r has left C^-1 r in work[1], if it needs that. */
static void keep_first_z(ovk_solver *S)
{
  S->first_z = S->opts.norm == OVK_NORM_UNPRECONDITIONED ? NULL : S->work[1];
}

ovk_err ovk__residual_first(ovk_solver *S, bool x_is_zero, ovk__square *b, ovk__square *r)
{
  ovk_vec **work = S->work;
  r->plain = ovk__step_residual(S, x_is_zero ? NULL : S->x, work[0], &b->plain);
  b->test = ovk__step_norm_of(S, b->plain, S->b, work[1]);
  r->test = x_is_zero ? b->test : ovk__step_norm_of(S, r->plain, work[0], work[1]);
  keep_first_z(S);
  return ovk__step_start_sum(S, b, r);
}

/* The global squares of r in work[0], of which rr is this rank's part. */
static ovk_err add_up_squares(ovk_solver *S, double rr, ovk__square *r)
{
  ovk__square none = {0};
  *r = (ovk__square){rr, ovk__step_norm_of(S, rr, S->work[0], S->work[1])};
  keep_first_z(S);
  return ovk__step_start_sum(S, &none, r);
}

ovk_err ovk__residual_later(ovk_solver *S, ovk__square *r)
{
  double bb;
  const double rr = ovk__step_residual(S, S->x, S->work[0], &bb);
  return add_up_squares(S, rr, r);
}

/* Whether the last iteration's norm of C^-1 r may stand for that of b - A x. */
static bool has_norm(const ovk_solver *S)
{
  return S->reason != OVK_REASON_NOT_RUN && S->C == OVK__C_OTHER &&
         S->opts.norm != OVK_NORM_UNPRECONDITIONED;
}

ovk_err ovk__residual_last(ovk_solver *S, ovk__square *r)
{
  static const double SAME = 1e-6;
  ovk_vec *residual = S->work[0], *gap = S->work[1];
  double bb;
  if (!has_norm(S)) return ovk__residual_later(S, r);
  ovk__vec_copy(residual, gap);
  const double rr = ovk__step_residual(S, S->x, residual, &bb);
  ovk__step_axpy(S, -1, residual, gap, ovk_poll_none());
  ovk__square g = {.plain = ovk__dot(gap->layout.local, gap->array, gap->array)};
  *r = (ovk__square){.plain = rr};
  OVK_TRY(ovk__step_start_sum(S, &g, r));
  if (!(g.plain <= SAME * SAME * r->plain)) return add_up_squares(S, rr, r);
  S->first_z = NULL;
  r->test = S->rr;
  return OVK_OK;
}
