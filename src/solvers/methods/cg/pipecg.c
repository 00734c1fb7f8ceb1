/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined PCG: one reduction, overlapped with preconditioner and product. Source: Ghysels and
 * Vanroose, "Hiding global synchronization latency in the preconditioned conjugate gradient
 * algorithm" (2014), with residual replacement when the recurrences have drifted too far
 * (residual_gap.h). */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/ops/ops_overlapped.h"
#include "solvers/state/work.h"

enum { SUMS };

static ovk_err pipecg_iterate(ovk_solver *S)
{
  ovk__pipecg_vecs v;
  double sums[OVK__PIPECG_SUMS], gamma = 0, alpha = 0, beta = 0;
  ovk__residual_gap gap;

  OVK__WORK_NAME(S, ovk__pipecg_vecs, &v);
  ovk__op_start_pipecg(S, &v, sums); /* u = M^-1 r; w = A u */
  for (bool first = true;; first = false) {
    OVK_TRY(ovk__op_begin(S, SUMS, sums)); /* begin gamma = (r, u), delta = (w, u), (r, r), ... */
    const ovk_poll poll = ovk__op_poll(S, SUMS);
    ovk__op_apply_other(S, v.w, v.m, poll); /* m = M^-1 w */
    ovk__op_product(S, v.m, v.n, poll);     /* n = A m */
    OVK_TRY(ovk__op_wait(S, SUMS, sums));   /* end gamma, delta, (r, r), ... */
    if (!first) OVK_TRY(ovk__convergence_test(S, ovk__op_square(S, sums), v.u, 0, NULL));
    if (S->reason || ovk__breakdown_recurred_gamma(S, sums[OVK__RU], v.u)) return OVK_OK;
    ovk__replacement replacement = OVK__REPLACE_NONE;
    if (first) {
      ovk__op_start_residual_gap(S, sums, &gap);
    } else {
      replacement = ovk__residual_gap_update(&gap, sums, alpha, beta);
      beta = sums[OVK__RU] / gamma;
    }
    gamma = sums[OVK__RU];
    const double delta = sums[OVK__WU];
    const double sdotp = first ? delta : delta - beta * gamma / alpha; /* (p, A p) */
    if (ovk__breakdown_recurred_curvature(S, sdotp, v.u, v.w, beta, v.p, v.s)) return OVK_OK;
    alpha = gamma / sdotp;
    ovk__op_update_pipecg(S, alpha, beta, &v, sums); /* z, q, s, p; x, r, u, w; the sums */
    if (replacement)
      ovk__op_replace_pipecg(S, &v, replacement, sums); /* u, w, s, q, z; r if REPLACE_ALL */
  }
}

static const ovk__phase phases[] = {
    {.kind = OVK__BEGIN, .sum = SUMS},
    {.kind = OVK__PRECOND, .sum = SUMS, .polls = true},
    {.kind = OVK__PRODUCT, .sum = SUMS, .polls = true},
    {.kind = OVK__WAIT, .sum = SUMS},
    {.kind = OVK__UPDATE, .doubles = {15, 16, 18}, .dots = 3}, /* ten, in registers */
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_pipecg = {
    .name = "pipecg",
    .aliases = "pipelined pipecgrr",
    .summary = "PCG of Ghysels and Vanroose; 1 reduction, overlapped with M and A",
    .vectors = OVK__WORK_COUNT(ovk__pipecg_vecs),
    .sums = {[SUMS] = {.count = OVK__PIPECG_SUMS,
                       .status = true,
                       .projects = 1 << OVK__WORK_PLACE(ovk__pipecg_vecs, r) |
                                   1 << OVK__WORK_PLACE(ovk__pipecg_vecs, u) |
                                   1 << OVK__WORK_PLACE(ovk__pipecg_vecs, w)}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .fallback = &ovk__method_cg,
    .iterate = pipecg_iterate,
    .many = &ovk__many_pipecg,
};
