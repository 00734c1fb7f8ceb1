/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG-Overlap: PCG-Algorithm2 with each of its three reductions overlapped with work that does not
 * depend on it. Source: Kandalla et al. (2012), Figure 7, with L^-T where the figure prints a
 * second L^-1 (the same only for a diagonal L); the caller waits for the reduction that is active
 * at the exit. For a diagonal M, L^-T t is computed in the sweep for p and cannot overlap with
 * gamma: so while gamma is not complete, the first rows of x are updated; the other rows overlap
 * with sdotp.
 *
 * A test in the natural or the preconditioned norm needs (t, t) or (w, w), which are known too late
 * for iprod: they are reduced with the next sdotp, and the test follows it. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/ops/ops.h"

#include <math.h>

enum { SDOTP, GAMMA, IPROD };
enum { WORK_R, WORK_P, WORK_P_PREV, WORK_S, WORK_T, WORK_W, WORK_VECTORS };
enum { PS, TEST, COUNT }; /* the values of SDOTP */

/* Whether the test is made with the next sdotp. If r is 0 or has a NaN there is no next p. */
static bool overlap_test_is_late(const ovk_solver *S, double iprod)
{
  return S->opts.norm != OVK_NORM_UNPRECONDITIONED && iprod > 0 && isfinite(iprod);
}

static ovk_err overlap_iterate(ovk_solver *S)
{
  ovk_vec *x = S->x, *r = S->work[WORK_R], *p = S->work[WORK_P], *p_prev = S->work[WORK_P_PREV],
          *s = S->work[WORK_S], *t = S->work[WORK_T], *w = S->work[WORK_W];
  const ovk_poll none = ovk_poll_none();
  double sdotp[COUNT], gamma, gamma_old = 0, iprod, part, tt, alpha = 0;
  bool late = false; /* the test of the last iteration has not been made */

  OVK_TRY(ovk_vec_fill(p_prev, 0));
  tt = ovk__op_apply_left_dot(S, r, t, none); /* t = L^-1 r */
  OVK_TRY(ovk__op_begin(S, GAMMA, &tt));      /* begin gamma = (t, t) */

  for (bool first = true;; first = false) {
    ovk__op_apply_right(S, t, w, ovk__op_poll(S, GAMMA)); /* w = L^-T t */
    const ovk_lidx done =
        ovk__op_axpy_while(S, GAMMA, alpha, p_prev, x); /* x = x + alpha p_prev: first rows */
    OVK_TRY(ovk__op_wait(S, GAMMA, &gamma));            /* end gamma */
    if (ovk__breakdown_gamma(S, gamma, t, t, "(L^-1 r, L^-1 r)")) {
      ovk__op_axpy_from(S, done, alpha, p_prev, x, none);
      return OVK_OK;
    }
    const double beta = first ? 0 : gamma / gamma_old;
    ovk__op_direction(S, r, w, beta, p_prev, p); /* p = w + beta p_prev */
    sdotp[PS] = ovk__op_mult(S, p, s, none);     /* s = A p */
    sdotp[TEST] = late ? ovk__op_norm(S, 0, tt, r, w) : 0;
    OVK_TRY(ovk__op_begin(S, SDOTP, sdotp)); /* begin sdotp = (s, p); (t, t) or (w, w) */
    ovk__op_axpy_from(S, done, alpha, p_prev, x,
                      ovk__op_poll(S, SDOTP)); /* x = x + alpha p_prev: the other rows */
    OVK_TRY(ovk__op_wait(S, SDOTP, sdotp));    /* end sdotp */
    if (late) OVK_TRY(ovk__convergence_test(S, sdotp[TEST], w, 0, NULL));
    if (S->reason || ovk__breakdown_curvature(S, sdotp[PS], w, p, s)) return OVK_OK;
    alpha = gamma / sdotp[PS];
    part = ovk__op_axpy_norm(S, alpha, s, r);                     /* r = r - alpha s */
    OVK_TRY(ovk__op_begin(S, IPROD, &part));                      /* begin iprod = (r, r) */
    tt = ovk__op_apply_left_dot(S, r, t, ovk__op_poll(S, IPROD)); /* t = L^-1 r */
    OVK_TRY(ovk__op_wait(S, IPROD, &iprod));                      /* end iprod */
    gamma_old = gamma;
    OVK_TRY(ovk__op_begin(S, GAMMA, &tt)); /* begin gamma = (t, t) */
    late = overlap_test_is_late(S, iprod);
    if (!late) OVK_TRY(ovk__convergence_test(S, iprod, w, alpha, p));
    if (S->reason) break;
    ovk__vec_swap(&p, &p_prev);
  }
  ovk__op_axpy(S, alpha, p, x, ovk__op_poll(S, GAMMA)); /* x = x + alpha p: the pending update */
  return OVK_OK;
}

static const ovk__phase phases[] = {
    {.kind = OVK__PRECOND_RIGHT, .sum = GAMMA, .polls = true},
    {.kind = OVK__UPDATE_WHILE, .sum = GAMMA, .polls = true, .doubles = {3, 3, 3}},
    {.kind = OVK__WAIT, .sum = GAMMA},
    {.kind = OVK__UPDATE, .doubles = {4, 5, 4}},
    {.kind = OVK__PRODUCT},
    {.kind = OVK__BEGIN, .sum = SDOTP},
    {.kind = OVK__UPDATE_REST, .sum = SDOTP, .polls = true, .doubles = {3, 3, 3}},
    {.kind = OVK__WAIT, .sum = SDOTP},
    {.kind = OVK__UPDATE, .doubles = {3, 3, 3}, .dots = 1},
    {.kind = OVK__BEGIN, .sum = IPROD},
    {.kind = OVK__PRECOND_LEFT, .sum = IPROD, .polls = true, .doubles = {1, 2, 1}, .dots = 1},
    {.kind = OVK__WAIT, .sum = IPROD},
    {.kind = OVK__BEGIN, .sum = GAMMA},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_overlap = {
    .name = "overlap",
    .aliases = "pcg-overlap",
    .summary = "split-cg with its 3 reductions overlapped with the two halves of M and with x",
    .vectors = WORK_VECTORS,
    .sums = {[SDOTP] = {.count = COUNT},
             [GAMMA] = {.count = 1},
             [IPROD] = {.count = 1, .status = true, .projects = 1 << WORK_R}},
    .reductions_per_iteration = 3,
    .phases = phases,
    .needs_factors = true,
    .iterate = overlap_iterate,
    .many = &ovk__many_cg,
};
