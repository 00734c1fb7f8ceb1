/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG with all inner products in one reduction. Source: Chronopoulos and Gear, "s-step iterative
 * methods for symmetric linear systems" (1989), for s = 1. s = A p comes from a recurrence, and (p,
 * A p) from (w, u), gamma and the last step. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/ops/ops_overlapped.h"

enum { SUMS };
enum { WORK_R, WORK_U, WORK_W, WORK_P, WORK_S, WORK_VECTORS };
enum { GAMMA, DELTA, RR, COUNT };

static ovk_err single_reduction_iterate(ovk_solver *S)
{
  ovk_vec *x = S->x, *r = S->work[WORK_R], *u = S->work[WORK_U], *w = S->work[WORK_W],
          *p = S->work[WORK_P], *s = S->work[WORK_S];
  const ovk_poll none = ovk_poll_none();
  double sums[COUNT] = {0}, gamma = 0, alpha = 0, beta = 0;

  OVK_TRY(ovk_vec_fill(p, 0));
  OVK_TRY(ovk_vec_fill(s, 0));
  sums[GAMMA] = ovk__op_apply_first_dot(S, r, u); /* u = M^-1 r */
  for (bool first = true;; first = false) {
    sums[DELTA] = ovk__op_mult(S, u, w, none); /* w = A u */
    OVK_TRY(ovk__op_reduce(S, SUMS, sums));    /* gamma = (r, u), delta = (w, u), (r, r) */
    if (!first) OVK_TRY(ovk__convergence_test(S, sums[RR], u, 0, NULL));
    if (S->reason || ovk__breakdown_recurred_gamma(S, sums[GAMMA], u)) break;
    if (!first) beta = sums[GAMMA] / gamma;
    gamma = sums[GAMMA];
    const double delta = sums[DELTA];
    const double sdotp = first ? delta : delta - beta * gamma / alpha; /* (p, A p) */
    if (ovk__breakdown_recurred_curvature(S, sdotp, u, w, beta, p, s)) break;
    alpha = gamma / sdotp;
    /* p = u + beta p; s = w + beta s; x = x + alpha p; r = r - alpha s; u = M^-1 r */
    sums[RR] = ovk__op_update_single_reduction(S, alpha, beta, u, w, p, s, x, r, &sums[GAMMA]);
  }
  return OVK_OK;
}

static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT},
    OVK__REDUCTION(SUMS),
    {.kind = OVK__UPDATE, .doubles = {11, 12, 10}, .dots = 3},
    {.kind = OVK__PRECOND, .doubles = {0, 0, 2}},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_single_reduction = {
    .name = "single-reduction",
    .summary = "PCG of Chronopoulos and Gear; 1 blocking reduction",
    .vectors = WORK_VECTORS,
    .sums = {[SUMS] = {.count = COUNT, .status = true, .projects = 1 << WORK_R}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .fallback = &ovk__method_cg,
    .iterate = single_reduction_iterate,
    .many = &ovk__many_single_reduction,
};
