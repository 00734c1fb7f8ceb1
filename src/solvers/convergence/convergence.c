/* SPDX-License-Identifier: BSD-2-Clause */
/* Stopping rules. */
#include "solvers/convergence/convergence.h"
#include "core/context/compare.h"
#include "solvers/convergence/advice.h"
#include "solvers/convergence/diagnose.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Squares of norms must stay far enough from the limits of the double range for (r, r) to be
 * compared over 16 and more orders of magnitude. */
static const double LEAST_SQUARE = 1e-250, MOST_SQUARE = 1e250;

/* The true residual may exceed the tolerance by this factor, for rounding in the recurrence. */
static const double CONFIRM = 1.01;

/* A restart must reduce the true residual to this fraction, else no other restart is made. */
static const double PROGRESS = 0.5;

/* ||b - A x|| cannot be reduced below about eps ||b|| in double precision. Below this fraction of
 * ||b||, or below eps times the residual that the method started from, the recurred residual
 * carries no information, and the true residual is checked. */
static const double MEANINGLESS = 0.1 * DBL_EPSILON;

/* The norm of the test for messages, unless it is the Euclidean one. */
static const char *norm_text(const ovk_solver *S)
{
  switch (S->opts.norm) {
  case OVK_NORM_PRECONDITIONED:
    return " in the preconditioned norm";
  case OVK_NORM_NATURAL:
    return " in the natural norm";
  default:
    return "";
  }
}

static void convergence_reached(ovk_solver *S)
{
  const bool relative = S->opts.rtol * S->norms.b >= ovk__scale_atol(S);
  ovk__stop(S, relative ? OVK_REASON_CONVERGED_RTOL : OVK_REASON_CONVERGED_ATOL, "converged");
}

/* Calls the monitor; the solution is x + alpha p. true_rr < 0: not known. Returns whether the
 * monitors of all ranks end the solve here. */
static bool convergence_call_monitor(ovk_solver *S, double true_rr, double alpha, const ovk_vec *p)
{
  if (!S->opts.monitor) return false;
  const ovk_progress progress = {.size = sizeof progress,
                                 .iteration = S->counts.iterations,
                                 .residual_norm = ovk__scale_norm(S, sqrt(S->norms.rr)),
                                 .true_residual_norm =
                                     true_rr < 0 ? NAN : ovk__scale_norm(S, sqrt(true_rr)),
                                 .rhs_norm = ovk__scale_norm(S, S->norms.b),
                                 .tolerance = ovk__scale_tolerance(S),
                                 .fingerprint = S->fingerprint,
                                 .column = S->columns.watched};
  S->monitor.active = true;
  S->monitor.x_alpha = alpha;
  S->monitor.x_p = p;
  const int result = S->opts.monitor(S->opts.monitor_arg, &progress);
  S->monitor.active = false;
  if (result == OVK_MONITOR_STOP_NOW) return true;
  if (result) S->monitor.stop_local = true;
  return false;
}

static void convergence_stop_by_monitor(ovk_solver *S)
{
  ovk__stop(S, OVK_REASON_MONITOR,
            "the monitor stopped the solve after %d iterations, ||r|| = %g ||b||%s",
            S->counts.iterations, sqrt(S->norms.rr) / S->norms.b, norm_text(S));
}

/* Stops if doubles cannot work with the squares of b and r, which are not 0. */
static ovk_err convergence_check_squares(ovk_solver *S, const ovk__square *b, const ovk__square *r)
{
  if (!isfinite(b->plain)) {
    return ovk__diagnose_value(
        S, &(ovk__bad_sum){"(b, b)", S->b, S->b, S->counts.iterations, {{S->b, "b"}}});
  }
  if (!isfinite(r->plain)) return ovk__diagnose_residual(S, "x0");
  if (!isfinite(b->test)) return ovk__diagnose_image_of(S, S->b);
  if (!isfinite(r->test)) return ovk__diagnose_image_of(S, S->work[OVK__WORK_R]);
  if (!(b->test > 0) || r->test < 0) {
    ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_M,
              "the preconditioner is not positive definite: the squares of b and b - A x0%s are %g "
              "and %g",
              norm_text(S), b->test, r->test);
  } else if (b->test < LEAST_SQUARE || b->test > MOST_SQUARE) {
    ovk__stop(S, OVK_REASON_NAN,
              "the square of b%s, %g, is too %s for double precision: scale the preconditioner",
              norm_text(S), b->test, b->test < 1 ? "small" : "large");
  }
  return OVK_OK;
}

ovk_err ovk__convergence_start(ovk_solver *S, const ovk__square *b, const ovk__square *r)
{
  S->norms.plain_bb = b->plain;
  S->norms.plain_rr = r->plain;
  S->norms.bb = b->test;
  S->norms.first_rr = S->norms.rr = S->norms.true_rr = r->test;
  S->norms.b = sqrt(S->norms.bb);
  const double norm_r = sqrt(S->norms.rr);
  S->norms.tolerance = fmax(S->opts.rtol * S->norms.b, ovk__scale_atol(S));
  S->norms.diverged = S->opts.dtol * fmax(S->norms.b, norm_r);
  if (b->plain == 0) {
    ovk__stop(S, OVK_REASON_CONVERGED_ZERO_RHS, "b = 0: returned x = 0");
    ovk__vec_zero(S->x);
    return OVK_OK;
  }
  OVK_TRY(convergence_check_squares(S, b, r));
  if (S->reason) return OVK_OK;
  if (convergence_call_monitor(S, S->norms.rr, 0, NULL)) {
    convergence_stop_by_monitor(S);
  } else if (norm_r <= S->norms.tolerance) {
    convergence_reached(S);
  } else if (S->opts.maxit == 0) {
    ovk__stop(S, OVK_REASON_MAXIT, "maxit is 0");
  }
  return OVK_OK;
}

/* The square of r = b - A (x + alpha p), recomputed. */
static ovk_err convergence_true_square(ovk_solver *S, double alpha, const ovk_vec *p,
                                       double *true_rr)
{
  ovk_vec *x = S->check[0], *r = S->check[1];
  OVK_TRY(ovk_vec_copy(S->x, x));
  if (p) ovk__op_axpy(S, alpha, p, x, ovk_poll_none());
  ovk__square b = {0}, rr;
  rr.plain = ovk__op_residual(S, x, r, &b.plain);
  rr.test = ovk__op_norm_of(S, rr.plain, r, S->check[2]);
  OVK_TRY(ovk__op_reduce_squares(S, &b, &rr, NULL));
  *true_rr = rr.test;
  return OVK_OK;
}

/* Check mode: compares the decisions of all ranks. They are compared here because ranks that decide
 * differently have no later reduction in common. */
static ovk_err convergence_compare_decisions(const ovk_solver *S)
{
  char text[80];
  if (!ovk__checking(S->ctx)) return OVK_OK;
  snprintf(text, sizeof text, "%s in iteration %d of %s, %d restarts", ovk_reason_text(S->reason),
           S->counts.iterations, S->active->name, S->counts.restarts);
  return ovk__check_same(S->ctx, "their decisions", text);
}

/* ovk__convergence_test() without the comparison of check mode. */
static ovk_err convergence_test_residual(ovk_solver *S, double rr, const ovk_vec *z, double alpha,
                                         const ovk_vec *p)
{
  S->counts.iterations++;
  S->norms.rr = rr;
  if (!isfinite(rr)) return ovk__diagnose_recurrence(S, z);
  ovk__trend_add(&S->trend, S->counts.iterations, rr);
  double true_rr = -1;
  const int every = S->opts.true_residual_every;
  if (every && S->counts.iterations % every == 0)
    OVK_TRY(convergence_true_square(S, alpha, p, &true_rr));
  if (convergence_call_monitor(S, true_rr, alpha, p)) {
    convergence_stop_by_monitor(S);
    return OVK_OK;
  }
  const double norm_r = sqrt(rr), norm_b = S->norms.b;
  const double meaningless = fmax(MEANINGLESS * norm_b, DBL_EPSILON * sqrt(S->norms.true_rr));
  if (norm_r <= fmax(S->norms.tolerance, meaningless)) {
    convergence_reached(S);
  } else if (norm_r > S->norms.diverged) {
    ovk__stop(S, OVK_REASON_DIVERGED, "||r|| = %g after %d iterations, ||b|| = %g%s: diverged",
              ovk__scale_norm(S, norm_r), S->counts.iterations, ovk__scale_norm(S, norm_b),
              norm_text(S));
  } else if (S->monitor.stop_global) {
    convergence_stop_by_monitor(S);
  } else if (S->counts.iterations >= S->opts.maxit) {
    ovk__stop(S, OVK_REASON_MAXIT,
              "not converged after %d iterations: ||r|| = %g ||b||%s, tolerance %g ||b||",
              S->counts.iterations, norm_r / norm_b, norm_text(S), S->norms.tolerance / norm_b);
  }
  return OVK_OK;
}

ovk_err ovk__convergence_test(ovk_solver *S, double rr, const ovk_vec *z, double alpha,
                              const ovk_vec *p)
{
  OVK_TRY(convergence_test_residual(S, rr, z, alpha, p));
  return convergence_compare_decisions(S);
}

/* Restarts from x with the recomputed residual; `change`: with the fallback method. */
static void convergence_restart(ovk_solver *S, bool change)
{
  S->reason = OVK_REASON_NOT_RUN;
  S->norms.rr = S->norms.true_rr;
  S->counts.restarts++;
  S->counts.exits++;
  if (change) {
    S->counts.exits = 0;
    S->active = S->active->fallback;
    S->first_z = NULL; /* projected as the old method does it */
    S->sums = S->all_sums[1];
    S->counts.method_changes = 1;
  } else if (S->active->fallback) {
    S->counts.replacements++;
  }
}

ovk_err ovk__convergence_confirm(ovk_solver *S, const ovk__square *r)
{
  const double true_rr = r->test, last = sqrt(S->norms.true_rr), now = sqrt(true_rr);
  const bool cannot_go_on = S->reason == OVK_REASON_NOT_RUN, again = S->counts.exits > 0;
  S->norms.true_rr = true_rr;
  S->norms.plain_rr = r->plain;
  if (S->reason < 0 && S->reason != OVK_REASON_MAXIT) return OVK_OK;
  if (isnan(r->plain)) return ovk__diagnose_residual(S, "x");
  if (S->reason < 0) return OVK_OK;
  if (now <= CONFIRM * S->norms.tolerance) {
    if (cannot_go_on) convergence_reached(S);
  } else if (!isfinite(r->plain)) {
    return ovk__diagnose_residual(S, "x");
  } else if (!isfinite(true_rr)) {
    return ovk__diagnose_image_of(S, S->work[OVK__WORK_R]);
  } else if (true_rr < LEAST_SQUARE && now <= MEANINGLESS * S->norms.b) {
    ovk__stop(S, OVK_REASON_STAGNATED,
              "||b - A x|| = %g ||b|| is as small as it can get before its square underflows; "
              "tolerance %g%s",
              now / S->norms.b, ovk__scale_tolerance(S), norm_text(S));
  } else if (!S->active->fallback && again && now > PROGRESS * last) {
    ovk__stop(
        S, OVK_REASON_STAGNATED,
        "stagnated: recurrence residual ||r|| = %g, true residual ||b - A x|| = %g, tolerance %g%s",
        ovk__scale_norm(S, sqrt(S->norms.rr)), ovk__scale_norm(S, now), ovk__scale_tolerance(S),
        norm_text(S));
  } else if (S->counts.iterations >= S->opts.maxit) {
    ovk__stop(S, OVK_REASON_MAXIT,
              "not converged after %d iterations: ||b - A x|| = %g, tolerance %g%s",
              S->counts.iterations, ovk__scale_norm(S, now), ovk__scale_tolerance(S), norm_text(S));
  } else {
    convergence_restart(S, S->active->fallback && (cannot_go_on || again));
  }
  return OVK_OK;
}

void ovk__convergence_rounded(ovk_solver *S, const ovk__square *r, double norm_x)
{
  S->norms.plain_rr = r->plain;
  S->norms.rr = S->norms.true_rr = r->test;
  if (S->reason < 0 ? isfinite(norm_x) : sqrt(r->test) <= CONFIRM * S->norms.tolerance) return;
  S->facts |= OVK__FACT_RANGE;
  ovk__stop(S, OVK_REASON_NAN, "x has entries that are too large or too small for a double");
}
