/* SPDX-License-Identifier: BSD-2-Clause */
/* Breakdowns: inner products that a positive definite A or C makes positive, and are not. */
#include "solvers/steps/step_impl.h"
#include "solvers/stopping/stop.h"

#include <math.h>

/* For an inner product that is not positive: if it is NaN, Inf or a 0 by underflow, finds the
 * origin and ends the solve; otherwise returns true. */
static bool is_breakdown(ovk_solver *S, double value, const ovk__bad_sum *sum)
{
  ovk_err err = OVK_OK;
  if (!isfinite(value)) {
    err = ovk__stop_diagnose(S, sum);
  } else if (value == 0) {
    err = ovk__stop_underflow(S, sum);
  }
  ovk__step_keep(S, err);
  return !err && !S->reason;
}

bool ovk__stop_curvature(ovk_solver *S, double curvature, const ovk_vec *z, const ovk_vec *p,
                         const ovk_vec *s)
{
  const ovk__bad_sum sum = {"(p, A p)",
                            p,
                            s,
                            S->iterations + 1,
                            {{S->D.d ? NULL : z, "the preconditioner's output"},
                             {p, "the search direction p"},
                             {s, "A p, so A does"}}};
  if (curvature > 0 && isfinite(curvature)) return S->reason != OVK_REASON_NOT_RUN;
  if (is_breakdown(S, curvature, &sum)) {
    ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_A,
              "A is not positive definite, but indefinite or singular: (p, A p) = %g in iteration "
              "%d",
              curvature, S->iterations + 1);
  }
  return true;
}

bool ovk__stop_gamma(ovk_solver *S, double gamma, const ovk_vec *u, ovk_vec *v, const char *name)
{
  if (gamma > 0 && isfinite(gamma)) return false;
  if (S->D.d) ovk__step_apply(S, S->work[0], v, ovk_poll_none()); /* C^-1 r was not stored */
  const ovk__bad_sum sum = {name,
                            S->D.d ? S->work[0] : u,
                            v,
                            S->iterations + 1,
                            {{S->work[0], "the residual r"}, {v, "the preconditioner's output"}}};
  if (is_breakdown(S, gamma, &sum)) {
    ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_M,
              "the preconditioner is not positive definite: %s = %g in iteration %d", name, gamma,
              S->iterations + 1);
  }
  return true;
}
