/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined PCG: one sum, overlapped with preconditioner and product. Source: Ghysels and Vanroose,
 * "Hiding global synchronization latency in the preconditioned conjugate gradient algorithm"
 * (2014), with residual replacement when the recurrences have drifted too far (gap.h). */
#include "solvers/steps/step_hiding.h"
#include "solvers/stopping/stop.h"

enum { SUMS };
enum { WORK_R, WORK_U, WORK_W };

static ovk_err iterate(ovk_solver *S)
{
  ovk_vec **work = S->work;
  const ovk__pipelined_vecs v = {.x = S->x,
                                 .r = work[WORK_R],
                                 .u = work[WORK_U],
                                 .w = work[WORK_W],
                                 .m = work[3],
                                 .n = work[4],
                                 .z = work[5],
                                 .q = work[6],
                                 .s = work[7],
                                 .p = work[8]};
  double sums[OVK__PIPELINED_SUMS], gamma = 0, alpha = 0, beta = 0;
  ovk__gap gap;

  ovk__step_start_pipelined(S, &v, sums); /* u = M r; w = A u */
  for (bool first = true;; first = false) {
    OVK_TRY(ovk__step_begin(S, SUMS, sums)); /* begin gamma = (r, u), delta = (w, u), (r, r), ... */
    const ovk_poll poll = ovk__step_poll(S, SUMS);
    ovk__step_apply_other(S, v.w, v.m, poll); /* m = M w */
    ovk__step_mult(S, v.m, v.n, poll);        /* n = A m */
    OVK_TRY(ovk__step_wait(S, SUMS, sums));   /* end gamma, delta, (r, r), ... */
    if (!first) OVK_TRY(ovk__stop_test(S, ovk__step_square(S, sums), v.u, 0, NULL));
    if (S->reason || ovk__stop_recurred_gamma(S, sums[OVK__RU], v.u)) return OVK_OK;
    ovk__replacement replacement = OVK__REPLACE_NONE;
    if (first) {
      ovk__step_start_gap(S, sums, &gap);
    } else {
      replacement = ovk__gap_step(&gap, sums, alpha, beta);
      beta = sums[OVK__RU] / gamma;
    }
    gamma = sums[OVK__RU];
    const double delta = sums[OVK__WU];
    const double sdotp = first ? delta : delta - beta * gamma / alpha; /* (p, A p) */
    if (ovk__stop_recurred_curvature(S, sdotp, v.u, v.w, beta, v.p, v.s)) return OVK_OK;
    alpha = gamma / sdotp;
    ovk__step_update_pipelined(S, alpha, beta, &v, sums); /* z, q, s, p; x, r, u, w; the sums */
    if (replacement)
      ovk__step_replace_pipelined(S, &v, replacement, sums); /* u, w, s, q, z; r if REPLACE_ALL */
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

const ovk__method ovk__pcg_pipelined = {
    .name = "pipelined",
    .summary = "PCG of Ghysels and Vanroose: 1 sum, behind preconditioner and product",
    .vectors = 9,
    .sums = {[SUMS] = {.count = OVK__PIPELINED_SUMS,
                       .status = true,
                       .projects = 1 << WORK_R | 1 << WORK_U | 1 << WORK_W}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .fallback = &ovk__pcg_algorithm1,
    .iterate = iterate,
};
