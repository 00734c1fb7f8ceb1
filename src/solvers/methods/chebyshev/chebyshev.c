/* SPDX-License-Identifier: BSD-2-Clause */
/* The Chebyshev iteration: no inner products, as its coefficients follow from the ends of the
 * spectrum of A M^-1. Source: Golub and Varga, "Chebyshev semi-iterative methods" (1961); here in
 * the form of CG, as in Barrett et al., "Templates" (1994), figure 2.11. Only the norm of r is
 * reduced, once every NORM_EVERY iterations, overlapped with M^-1, the update and the next product.
 * The ends of the spectrum are estimated when a solver is made; the norms correct them. */
#include "solvers/methods/chebyshev/chebyshev.h"
#include "solvers/convergence/convergence.h"
#include "solvers/convergence/diagnose.h"
#include "solvers/ops/ops_overlapped.h"

#include <math.h>

enum { RR };
enum { WORK_R, WORK_P, WORK_S, WORK_Z, WORK_VECTORS };

enum { NORM_EVERY = 10 };

/* The largest Ritz value lies inside the spectrum: the factor that makes an upper bound of it. */
static const double ABOVE = 1.1;

bool ovk__chebyshev_norm_is_due(const ovk_solver *S)
{
  const int next = S->counts.iterations + 1, every = S->opts.true_residual_every;
  return next % NORM_EVERY == 0 || next >= S->opts.maxit || (every && next % every == 0);
}

void ovk__chebyshev_start(const ovk_solver *S, double rr, ovk__interval *I)
{
  ovk__interval_start(I, S->values.lambda_min, ABOVE * S->values.lambda_max, rr);
}

/* The vectors of an iteration as candidates for the origin of a NaN or Inf in (r, r): M z = r of
 * the iteration before (p in place of it if M is diagonal), s = A p and r. */
static ovk__bad_sum chebyshev_candidates(const ovk_solver *S, const ovk_vec *z, const ovk_vec *p,
                                         const ovk_vec *s)
{
  const bool stored = !S->D.d;
  return (ovk__bad_sum){
      "(r, r)",
      S->work[WORK_R],
      S->work[WORK_R],
      S->counts.iterations + 1,
      {{stored ? z : p, stored ? "the preconditioner's output" : "the search direction p"},
       {s, "the product A p"},
       {S->work[WORK_R], "the residual r"}}};
}

/* The total (r, r) is NaN or Inf. `bad` has the entries that this rank found when its part became
 * so, as its vectors have changed since. */
static ovk_err chebyshev_diagnose(ovk_solver *S, double rr, const ovk_vec *z, const ovk_vec *p,
                                  const ovk_vec *s, ovk__bad_entries bad)
{
  S->counts.iterations++;
  S->norms.rr = rr;
  const ovk__bad_sum sum = chebyshev_candidates(S, z, p, s);
  return ovk__diagnose_found(S, &sum, bad.iteration ? bad : ovk__diagnose_find(&sum));
}

static ovk_err chebyshev_iterate(ovk_solver *S)
{
  ovk_vec *x = S->x, *r = S->work[WORK_R], *p = S->work[WORK_P], *s = S->work[WORK_S],
          *z = S->work[WORK_Z];
  const ovk_poll none = ovk_poll_none();
  ovk__interval I;
  ovk__bad_entries bad = {0};
  double rr;

  if (!(S->values.lambda_max > 0)) return OVK_OK; /* A or M fails: the fallback finds how */
  ovk__chebyshev_start(S, S->norms.rr, &I);
  ovk__vec_zero(p); /* it may have a NaN of an earlier solve */
  ovk__op_apply(S, r, z, none);
  ovk__op_update_x_p(S, 0, r, z, 0, p, x); /* p = M^-1 r */

  for (bool summing = false;;) {
    ovk_poll poll = summing ? ovk__op_poll(S, RR) : none;
    ovk__op_product(S, p, s, poll); /* s = A p */
    if (summing) {
      OVK_TRY(ovk__op_wait(S, RR, &rr)); /* end (r, r) */
      OVK_TRY(isfinite(rr) ? ovk__convergence_test(S, rr, z, 0, NULL)
                           : chebyshev_diagnose(S, rr, z, p, s, bad));
      if (S->reason) return OVK_OK;
      summing = false;
      if (ovk__interval_correct(&I, rr)) {
        if (ovk__interval_failed(&I)) return OVK_OK; /* the fallback finds why */
        ovk__op_update_x_p(S, 0, r, z, 0, p, x);     /* p = M^-1 r */
        continue;
      }
    }
    const double alpha = I.alpha;
    rr = ovk__op_axpy_norm(S, alpha, s, r); /* r = r - alpha s */
    if (!isfinite(rr) && !bad.iteration) {
      const ovk__bad_sum sum = chebyshev_candidates(S, z, p, s);
      bad = ovk__diagnose_find(&sum);
    }
    summing = ovk__chebyshev_norm_is_due(S);
    const bool needs_z = summing && S->opts.norm != OVK_NORM_UNPRECONDITIONED;
    if (needs_z) rr = ovk__op_norm_of(S, rr, r, z); /* M z = r; another norm of r */
    if (summing) {
      OVK_TRY(ovk__op_begin(S, RR, &rr)); /* begin (r, r) */
    } else {
      S->counts.iterations++;
    }
    poll = summing ? ovk__op_poll(S, RR) : none;
    if (!needs_z) ovk__op_apply_other(S, r, z, poll); /* M z = r */
    const double beta = ovk__interval_advance(&I);
    ovk__op_update_x_p(S, alpha, r, z, beta, p, x); /* x = x + alpha p; p = z + beta p */
  }
}

/* The phases of an iteration without a norm. */
static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT},  {.kind = OVK__UPDATE, .doubles = {3, 3, 3}, .dots = 1},
    {.kind = OVK__PRECOND},  {.kind = OVK__UPDATE, .doubles = {5, 6, 5}},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_chebyshev = {
    .name = "chebyshev",
    .summary = "Chebyshev iteration; 1 reduction in 10 iterations, for the norm",
    .vectors = WORK_VECTORS,
    .sums = {[RR] = {.count = 1, .status = true}},
    .phases = phases,
    .needs_spectrum = true,
    .fallback = &ovk__method_cg,
    .iterate = chebyshev_iterate,
    .many = &ovk__many_chebyshev,
};
