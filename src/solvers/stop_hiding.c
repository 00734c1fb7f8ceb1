/* SPDX-License-Identifier: BSD-2-Clause */
/* Breakdowns of methods whose inner products come from recurrences: before A or C is called
 * indefinite, the inner product is made again from vectors that are what they stand for. Slow,
 * collective, and at most once or twice a solve. */
#include "solvers/step.h"
#include "solvers/stop.h"
#include "solvers/updates.h"

#include <math.h>

static double total(const ovk_solver *S, double part)
{
  double sum = 0;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, S->ctx->comm);
  return sum;
}

bool ovk__stop_recurred_gamma(ovk_solver *S, double gamma, ovk_vec *u)
{
  if (gamma > 0 && isfinite(gamma)) return false;
  const ovk_vec *r = S->work[0];
  if (isfinite(gamma)) gamma = total(S, ovk__step_apply_dot(S, r, u));
  (void)ovk__stop_gamma(S, gamma, r, u, "(r, C^-1 r)");
  return true;
}

bool ovk__stop_drifted_curvature(ovk_solver *S, double curvature, const ovk_vec *z,
                                 const ovk_vec *p, ovk_vec *s)
{
  if (curvature > 0 && isfinite(curvature)) return false;
  if (isfinite(curvature)) curvature = total(S, ovk__step_mult(S, p, s, ovk_poll_none()));
  (void)ovk__stop_curvature(S, curvature, z, p, s);
  return true;
}

bool ovk__stop_recurred_curvature(ovk_solver *S, double curvature, ovk_vec *u, const ovk_vec *w,
                                  double beta, ovk_vec *p, ovk_vec *s)
{
  if (curvature > 0 && isfinite(curvature)) return false;
  if (S->D.d) ovk__step_apply(S, S->work[0], u, ovk_poll_none());
  if (beta == 0 || !isfinite(curvature)) {
    (void)ovk__stop_curvature(S, curvature, u, u, w);
    return true;
  }
  ovk__step_direction(S, S->work[0], u, beta, p, s); /* s = u + beta p */
  return ovk__stop_drifted_curvature(S, curvature, u, s, p);
}

bool ovk__stop_prediction(ovk_solver *S, double predicted, const ovk_vec *z, const ovk_vec *s,
                          const ovk_vec *q)
{
  if (isfinite(predicted)) return false;
  ovk__stop_blame(S, &(ovk__suspicion){.sum = "(s, C^-1 s)",
                                       .u = s,
                                       .v = q,
                                       .iteration = S->iterations + 1,
                                       .n = 3,
                                       .suspects = {z, s, q},
                                       .names = {"the preconditioner's output", "A p, so A does",
                                                 "the preconditioner's output"}});
  return true;
}
