/* SPDX-License-Identifier: BSD-2-Clause */
/* Breakdowns: inner products that a positive definite A or M would make positive, and that are not.
 * In the methods for other matrices: numbers out of the range of doubles, and quantities that
 * vanish. Inner products from recurrences are recomputed from recomputed vectors before A or M is
 * reported as indefinite. That is slow and collective, and happens at most twice a solve. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/diagnose.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <string.h>

/* Checks an inner product that is not positive: if it is NaN, Inf or a 0 by underflow, finds the
 * origin and ends the solve; otherwise returns true. */
static bool breakdown_is_certain(ovk_solver *S, double value, const ovk__bad_sum *sum)
{
  ovk_err err = OVK_OK;
  if (!isfinite(value)) {
    err = ovk__diagnose_value(S, sum);
  } else if (value == 0) {
    err = ovk__diagnose_underflow(S, sum);
  }
  ovk__op_record_error(S, err);
  return !err && !S->reason;
}

bool ovk__breakdown_curvature(ovk_solver *S, double curvature, const ovk_vec *z, const ovk_vec *p,
                              const ovk_vec *s)
{
  const ovk__bad_sum sum = {"(p, A p)",
                            p,
                            s,
                            S->counts.iterations + 1,
                            {{S->D.d ? NULL : z, "the preconditioner's output"},
                             {p, "the search direction p"},
                             {s, "the product A p"}}};
  if (curvature > 0 && isfinite(curvature)) return S->reason != OVK_REASON_NOT_RUN;
  if (breakdown_is_certain(S, curvature, &sum)) {
    ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_A,
              "A is not positive definite, but indefinite or singular: (p, A p) = %g in iteration "
              "%d",
              curvature, S->counts.iterations + 1);
  }
  return true;
}

bool ovk__breakdown_gamma(ovk_solver *S, double gamma, const ovk_vec *u, ovk_vec *v,
                          const char *name)
{
  if (gamma > 0 && isfinite(gamma)) return false;
  if (S->D.d)
    ovk__op_apply(S, S->work[OVK__WORK_R], v, ovk_poll_none()); /* M^-1 r was not stored */
  const ovk__bad_sum sum = {
      name,
      S->D.d ? S->work[OVK__WORK_R] : u,
      v,
      S->counts.iterations + 1,
      {{S->work[OVK__WORK_R], "the residual r"}, {v, "the preconditioner's output"}}};
  if (breakdown_is_certain(S, gamma, &sum)) {
    ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_M,
              "the preconditioner is not positive definite: %s = %g in iteration %d", name, gamma,
              S->counts.iterations + 1);
  }
  return true;
}

/* *value <- the total of this part of the ranks; false on failure, which all ranks then record. */
static bool breakdown_reduce(ovk_solver *S, double *value)
{
  const ovk_err err = ovk__dots_total(S, 1, value, value);
  ovk__op_record_error(S, err);
  return !err;
}

bool ovk__breakdown_recurred_gamma(ovk_solver *S, double gamma, ovk_vec *u)
{
  if (gamma > 0 && isfinite(gamma)) return false;
  const ovk_vec *r = S->work[OVK__WORK_R];
  if (isfinite(gamma)) {
    gamma = ovk__op_apply_dot(S, r, u);
    if (!breakdown_reduce(S, &gamma)) return true;
  }
  (void)ovk__breakdown_gamma(S, gamma, r, u, "(r, M^-1 r)");
  return true;
}

bool ovk__breakdown_drifted_curvature(ovk_solver *S, double curvature, const ovk_vec *z,
                                      const ovk_vec *p, ovk_vec *s)
{
  if (curvature > 0 && isfinite(curvature)) return false;
  if (isfinite(curvature)) {
    curvature = ovk__op_mult(S, p, s, ovk_poll_none());
    if (!breakdown_reduce(S, &curvature)) return true;
  }
  (void)ovk__breakdown_curvature(S, curvature, z, p, s);
  return true;
}

bool ovk__breakdown_recurred_curvature(ovk_solver *S, double curvature, ovk_vec *u,
                                       const ovk_vec *w, double beta, ovk_vec *p, ovk_vec *s)
{
  if (curvature > 0 && isfinite(curvature)) return false;
  if (S->D.d) ovk__op_apply(S, S->work[OVK__WORK_R], u, ovk_poll_none());
  if (beta == 0 || !isfinite(curvature)) {
    (void)ovk__breakdown_curvature(S, curvature, u, u, w);
    return true;
  }
  ovk__op_direction(S, S->work[OVK__WORK_R], u, beta, p, s); /* s = u + beta p */
  return ovk__breakdown_drifted_curvature(S, curvature, u, s, p);
}

bool ovk__breakdown_prediction(ovk_solver *S, double predicted, const ovk_vec *z, const ovk_vec *s,
                               const ovk_vec *q)
{
  if (isfinite(predicted)) return false;
  const ovk__bad_sum sum = {"(s, M^-1 s)",
                            s,
                            q,
                            S->counts.iterations + 1,
                            {{z, "the preconditioner's output"},
                             {s, "the product A p"},
                             {q, "the preconditioner's output"}}};
  ovk__op_record_error(S, ovk__diagnose_value(S, &sum));
  return true;
}

bool ovk__breakdown_product(ovk_solver *S, double value, const char *name, const ovk_vec *u,
                            const ovk_vec *z, const ovk_vec *s)
{
  if (isfinite(value)) return false;
  const bool none = strcmp(ovk_precond_name(S->M), "none") == 0;
  const char *M = none ? "the vector that A multiplies" : "the preconditioner's output";
  const bool left = S->settings.left;
  const ovk__bad_sum sum = {name,
                            u,
                            s,
                            S->counts.iterations + 1,
                            {{z, left ? "the product of A" : M},
                             {s, left ? M : "the product of A"},
                             {u, "the residual"}}};
  ovk__op_record_error(S, ovk__diagnose_value(S, &sum));
  return true;
}

void ovk__breakdown_vanished(ovk_solver *S, ovk_reason reason, const char *name, double value,
                             double scale)
{
  const char *what = reason == OVK_REASON_BREAKDOWN_LANCZOS ? "the Lanczos process breaks down"
                     : reason == OVK_REASON_BREAKDOWN_BICG  ? "the BiCG process breaks down"
                                                            : "A is singular on the Krylov space";
  ovk__stop(S, reason, "%s: %s = %g in iteration %d, on a scale of %g", what, name, value,
            S->counts.iterations + 1, scale);
}
