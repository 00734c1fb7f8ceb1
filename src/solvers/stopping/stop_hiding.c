/* SPDX-License-Identifier: BSD-2-Clause */
/* Breakdowns of methods whose inner products come from recurrences: before A or C is reported as
 * indefinite, the inner product is recomputed from explicitly computed vectors. Slow, collective,
 * and at most once or twice a solve. */
#include "solvers/kernels/updates.h"
#include "solvers/steps/step_impl.h"
#include "solvers/stopping/stop.h"

#include <math.h>

/* *value <- its sum over the ranks; false on failure, which all ranks then record. */
static bool add_up(ovk_solver *S, double *value)
{
  const ovk_err err = ovk__stop_reduce(S, value, 1, MPI_SUM);
  ovk__step_keep(S, err);
  return !err;
}

bool ovk__stop_recurred_gamma(ovk_solver *S, double gamma, ovk_vec *u)
{
  if (gamma > 0 && isfinite(gamma)) return false;
  const ovk_vec *r = S->work[0];
  if (isfinite(gamma)) {
    gamma = ovk__step_apply_dot(S, r, u);
    if (!add_up(S, &gamma)) return true;
  }
  (void)ovk__stop_gamma(S, gamma, r, u, "(r, C^-1 r)");
  return true;
}

bool ovk__stop_drifted_curvature(ovk_solver *S, double curvature, const ovk_vec *z,
                                 const ovk_vec *p, ovk_vec *s)
{
  if (curvature > 0 && isfinite(curvature)) return false;
  if (isfinite(curvature)) {
    curvature = ovk__step_mult(S, p, s, ovk_poll_none());
    if (!add_up(S, &curvature)) return true;
  }
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
  const ovk__bad_sum sum = {"(s, C^-1 s)",
                            s,
                            q,
                            S->iterations + 1,
                            {{z, "the preconditioner's output"},
                             {s, "A p, so A does"},
                             {q, "the preconditioner's output"}}};
  ovk__step_keep(S, ovk__stop_diagnose(S, &sum));
  return true;
}
