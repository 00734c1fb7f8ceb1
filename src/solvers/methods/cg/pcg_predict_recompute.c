/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined predict-and-recompute PCG: one sum, overlapped with two products and two preconditioner
 * solves. w = A rt is predicted by a recurrence for the update of s and recomputed during the next
 * sum, so that errors do not accumulate. Source: Chen and Carson, "Predict-and-recompute conjugate
 * gradient variants" (2020), PIPE-PR-CG. The suffix t stands for the paper's tilde. */
#include "solvers/steps/step_predict.h"
#include "solvers/stopping/stop.h"

enum { SUMS };

static ovk_err iterate(ovk_solver *S)
{
  ovk_vec **work = S->work;
  const ovk__predict_vecs v = {.x = S->x,
                               .r = work[0],
                               .rt = work[1],
                               .w = work[2],
                               .wt = work[3],
                               .p = work[4],
                               .s = work[5],
                               .st = work[6],
                               .u = work[7],
                               .ut = work[8]};
  double sums[OVK__PREDICT_SUMS];

  ovk__step_start_predict(S, &v, sums); /* rt = M r; w = A rt; wt = M w; p = rt; s = w; st = wt */
  for (bool first = true;; first = false) {
    OVK_TRY(ovk__step_begin(S, SUMS, sums)); /* begin nu, mu, delta, gamma, (r, r) */
    const ovk_poll poll = ovk__step_poll(S, SUMS);
    ovk__step_mult_pair(S, v.st, v.u, v.rt, v.w, poll); /* u = A st; w = A rt */
    ovk__step_apply_other(S, v.u, v.ut, poll);          /* ut = M u */
    ovk__step_apply_other(S, v.w, v.wt, poll);          /* wt = M w */
    OVK_TRY(ovk__step_wait(S, SUMS, sums));             /* end nu, mu, delta, gamma, (r, r) */
    const double nu = sums[OVK__PREDICT_NU], mu = sums[OVK__PREDICT_MU];
    const double delta = sums[OVK__PREDICT_DELTA], gamma = sums[OVK__PREDICT_GAMMA];
    if (!first) OVK_TRY(ovk__stop_test(S, sums[OVK__PREDICT_RR], v.rt, 0, NULL));
    if (S->reason || ovk__stop_recurred_gamma(S, nu, v.rt)) return OVK_OK;
    if (ovk__stop_drifted_curvature(S, mu, v.rt, v.p, v.s)) return OVK_OK;
    const double alpha = nu / mu;
    const double predicted =
        nu - 2 * alpha * delta + alpha * alpha * gamma; /* prediction of the next nu */
    if (ovk__stop_prediction(S, predicted, v.rt, v.s, v.st)) return OVK_OK;
    const double beta = predicted > 0 ? predicted / nu : 0; /* <= 0 by rounding: r is nearly 0 */
    ovk__step_update_predict(S, alpha, beta, &v, sums); /* x, r, rt, w, wt; p, s, st; the sums */
    sums[OVK__PREDICT_RR] =
        ovk__step_norm(S, sums[OVK__PREDICT_RR], sums[OVK__PREDICT_NU], v.r, v.rt);
  }
}

static const ovk__phase phases[] = {
    {.kind = OVK__BEGIN, .sum = SUMS},
    {.kind = OVK__PRODUCT_PAIR, .sum = SUMS, .polls = true},
    {.kind = OVK__PRECOND, .sum = SUMS, .polls = true},
    {.kind = OVK__PRECOND, .sum = SUMS, .polls = true},
    {.kind = OVK__WAIT, .sum = SUMS},
    {.kind = OVK__UPDATE, .doubles = {14, 15, 16}, .dots = 5},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__pcg_predict_recompute = {
    .name = "predict-recompute",
    .summary =
        "pipelined PCG of Chen and Carson: 1 sum, behind two products; as accurate as classic",
    .vectors = 9,
    .sums = {[SUMS] = {.count = OVK__PREDICT_SUMS, .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .makes_pairs = true,
    .fallback = &ovk__pcg_algorithm1,
    .iterate = iterate,
};
