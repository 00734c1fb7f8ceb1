/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG-Algorithm2: the split-preconditioner variant, C = L L^T, with three blocking sums an
 * iteration. x lags behind by one update, which is made at the exit. Source: Demmel, Heath, van der
 * Vorst, "Parallel numerical linear algebra" (1993); Kandalla et al. (2012), Figure 6. */
#include "solvers/step.h"
#include "solvers/stop.h"

enum { SDOTP, GAMMA, IPROD };

static ovk_err iterate(ovk_solver *S)
{
  ovk_vec *x = S->x, *r = S->work[0], *p = S->work[1], *p_prev = S->work[2], *s = S->work[3],
          *t = S->work[4], *w = S->work[5];
  const ovk_poll none = ovk_poll_none();
  double sdotp, gamma, gamma_old, iprod, part, alpha = 0, beta = 0;

  OVK_TRY(ovk_vec_fill(p_prev, 0));
  ovk__step_apply_left(S, r, t, none);                              /* t = L^-1 r */
  OVK_TRY(ovk__step_sum(S, GAMMA, ovk__step_dot(S, t, t), &gamma)); /* gamma = (t, t) */

  for (;;) {
    if (ovk__stop_gamma(S, gamma, t, t, "(L^-1 r, L^-1 r)")) {
      p = p_prev;
      break;
    }
    ovk__step_apply_right(S, t, w, none);           /* w = L^-T t */
    ovk__step_direction(S, w, beta, p_prev, p);     /* p = w + beta p_prev */
    part = ovk__step_mult(S, p, s);                 /* s = A p */
    OVK_TRY(ovk__step_sum(S, SDOTP, part, &sdotp)); /* sdotp = (s, p) */
    ovk__step_axpy(S, alpha, p_prev, x, none);      /* x = x + alpha p_prev */
    if (ovk__stop_curvature(S, sdotp, w, p, s)) return OVK_OK;
    alpha = gamma / sdotp;
    part = ovk__step_axpy_norm(S, alpha, s, r);     /* r = r - alpha s */
    OVK_TRY(ovk__step_sum(S, IPROD, part, &iprod)); /* iprod = (r, r) */
    ovk__step_apply_left(S, r, t, none);            /* t = L^-1 r */
    gamma_old = gamma;
    OVK_TRY(ovk__step_sum(S, GAMMA, ovk__step_dot(S, t, t), &gamma)); /* gamma = (t, t) */
    beta = gamma / gamma_old;
    OVK_TRY(ovk__stop_test(S, iprod, alpha, p));
    if (S->reason) break;
    ovk_vec *swap = p_prev;
    p_prev = p;
    p = swap;
  }
  ovk__step_axpy(S, alpha, p, x, none); /* x = x + alpha p: what x lags behind */
  return OVK_OK;
}

const ovk__method ovk__pcg_algorithm2 = {
    .name = "algorithm2",
    .summary = "PCG with a split preconditioner C = L L^T: 3 blocking sums",
    .vectors = 6,
    .sums = {[SDOTP] = {.count = 1}, [GAMMA] = {.count = 1}, [IPROD] = {.count = 1, .rider = true}},
    .reductions_per_iteration = 3,
    .needs_factors = true,
    .iterate = iterate,
};
