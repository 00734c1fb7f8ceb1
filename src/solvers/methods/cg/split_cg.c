/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG-Algorithm2: the split-preconditioner variant, M = L L^T, with three blocking reductions an
 * iteration. Source: Demmel, Heath, van der Vorst, "Parallel numerical linear algebra" (1993);
 * Kandalla et al. (2012), Figure 6. As in the figure, x is one update late, but it is updated in
 * the sweep that computes the next p, so no p_prev is needed; the last update is made at the exit.
 *
 * Where M provides products of the split operator L^-1 A L^-T, t = L^-1 r and u = L^T p come from
 * recurrences: conjugate gradients for that operator, with p and r for x and the test (Eisenstat,
 * SIAM J. Sci. Stat. Comput. 2, 1981). Its iterates are those of the figure up to rounding. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/ops/ops.h"

enum { SDOTP, GAMMA, IPROD };
enum { WORK_R, WORK_P, WORK_S, WORK_T, WORK_U, WORK_Q, WORK_VECTORS };
enum { WORK_W = WORK_U }; /* where M has no split operator */

static ovk_err split_cg_iterate_eisenstat(ovk_solver *S)
{
  ovk_vec *x = S->x, *r = S->work[WORK_R], *p = S->work[WORK_P], *s = S->work[WORK_S],
          *t = S->work[WORK_T], *u = S->work[WORK_U], *q = S->work[WORK_Q];
  double sdotp, gamma, iprod, part, beta = 0;

  OVK_TRY(ovk_vec_fill(u, 0));
  part = ovk__op_apply_left_dot(S, r, t, ovk_poll_none()); /* t = L^-1 r */
  OVK_TRY(ovk__op_reduce_scalar(S, GAMMA, part, &gamma));  /* gamma = (t, t) */

  while (!ovk__breakdown_gamma(S, gamma, t, t, "(L^-1 r, L^-1 r)")) {
    ovk__op_aypx(S, beta, t, u);                            /* u = t + beta u */
    part = ovk__op_apply_split(S, u, p, s, q);              /* p = L^-T u; s = A p; q = L^-1 s */
    OVK_TRY(ovk__op_reduce_scalar(S, SDOTP, part, &sdotp)); /* sdotp = (q, u) = (s, p) */
    if (ovk__breakdown_curvature(S, sdotp, p, p, s)) break;
    const double alpha = gamma / sdotp, gamma_old = gamma;
    ovk__op_axpy(S, alpha, p, x, ovk_poll_none());       /* x = x + alpha p */
    const double rr = ovk__op_axpy_norm(S, alpha, s, r); /* r = r - alpha s */
    part = ovk__op_axpy_norm(S, alpha, q, t);            /* t = t - alpha q */
    OVK_TRY(ovk__op_reduce_scalar(S, IPROD, ovk__op_norm(S, rr, part, r, t),
                                  &iprod));                 /* (r, r), (t, t) */
    OVK_TRY(ovk__op_reduce_scalar(S, GAMMA, part, &gamma)); /* gamma = (t, t) */
    beta = gamma / gamma_old;
    OVK_TRY(ovk__convergence_test(S, iprod, t, 0, NULL));
    if (S->reason) break;
  }
  return OVK_OK;
}

/* The test in the preconditioned norm needs M^-1 r, and projections are of r alone. */
static bool split_cg_has_split_operator(const ovk_solver *S)
{
  return ovk__precond_splits(S->M, S->A) && !S->D.d && !S->null.count &&
         S->opts.norm != OVK_NORM_PRECONDITIONED;
}

static ovk_err split_cg_iterate(ovk_solver *S)
{
  if (split_cg_has_split_operator(S)) return split_cg_iterate_eisenstat(S);
  ovk_vec *x = S->x, *r = S->work[WORK_R], *p = S->work[WORK_P], *s = S->work[WORK_S],
          *t = S->work[WORK_T], *w = S->work[WORK_W];
  const ovk_poll none = ovk_poll_none();
  const bool early = S->opts.norm == OVK_NORM_PRECONDITIONED; /* the test needs (w, w) */
  double sdotp, gamma, iprod, part, alpha = 0, beta = 0;

  OVK_TRY(ovk_vec_fill(p, 0));
  part = ovk__op_apply_left_dot(S, r, t, none); /* t = L^-1 r */
  if (early) ovk__op_apply_right(S, t, w, none);
  OVK_TRY(ovk__op_reduce_scalar(S, GAMMA, part, &gamma)); /* gamma = (t, t) */

  for (;;) {
    if (ovk__breakdown_gamma(S, gamma, t, t, "(L^-1 r, L^-1 r)")) break;
    if (!early) ovk__op_apply_right(S, t, w, none);         /* w = L^-T t */
    ovk__op_update_x_p(S, alpha, r, w, beta, p, x);         /* x = x + alpha p; p = w + beta p */
    part = ovk__op_mult(S, p, s, none);                     /* s = A p */
    OVK_TRY(ovk__op_reduce_scalar(S, SDOTP, part, &sdotp)); /* sdotp = (s, p) */
    if (ovk__breakdown_curvature(S, sdotp, w, p, s)) return OVK_OK;
    alpha = gamma / sdotp;
    const double gamma_old = gamma;
    double rr = ovk__op_update_r_left(S, alpha, s, r, t, &part); /* r = r - alpha s; t = L^-1 r */
    if (early) ovk__op_apply_right(S, t, w, none);               /* w = L^-T t */
    rr = ovk__op_norm(S, rr, part, r, w);
    OVK_TRY(ovk__op_reduce_scalar(S, IPROD, rr, &iprod));   /* iprod = (r, r), or another norm */
    OVK_TRY(ovk__op_reduce_scalar(S, GAMMA, part, &gamma)); /* gamma = (t, t) */
    beta = gamma / gamma_old;
    OVK_TRY(ovk__convergence_test(S, iprod, early ? w : t, alpha, p));
    if (S->reason) break;
  }
  ovk__op_axpy(S, alpha, p, x, none); /* x = x + alpha p: the pending update */
  return OVK_OK;
}

static const ovk__phase phases[] = {
    {.kind = OVK__PRECOND_RIGHT},
    {.kind = OVK__UPDATE, .doubles = {5, 6, 5}},
    {.kind = OVK__PRODUCT},
    OVK__REDUCTION(SDOTP),
    {.kind = OVK__UPDATE, .doubles = {3, 4, 3}, .dots = 2},
    {.kind = OVK__PRECOND_LEFT, .doubles = {0, 0, 1}},
    OVK__REDUCTION(IPROD),
    OVK__REDUCTION(GAMMA),
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_split_cg = {
    .name = "split-cg",
    .aliases = "algorithm2 pcg-algorithm2",
    .summary = "PCG with a split preconditioner M = L L^T; 3 blocking reductions",
    .vectors = WORK_VECTORS,
    .sums = {[SDOTP] = {.count = 1},
             [GAMMA] = {.count = 1},
             [IPROD] = {.count = 1, .status = true, .projects = 1 << WORK_R}},
    .reductions_per_iteration = 3,
    .phases = phases,
    .needs_factors = true,
    .iterate = split_cg_iterate,
    .many = &ovk__many_cg,
};
