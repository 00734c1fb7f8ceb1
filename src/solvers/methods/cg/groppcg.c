/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG with two reductions, one overlapped with the preconditioner and one with the product. Source:
 * Gropp, "Update on libraries for Blue Waters" (2010), asynchronous CG; Ghysels and Vanroose
 * (2014). For a diagonal M, q = M^-1 s is computed inside a sweep and does not overlap with the
 * reduction of t; so the update of x is made there instead, one iteration late. The last update is
 * made at the exit. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/ops/ops_overlapped.h"

enum { T, GAMMA };
enum { WORK_R, WORK_Z, WORK_P, WORK_P_PREV, WORK_S, WORK_Q, WORK_AZ, WORK_VECTORS };
enum { RZ, RR, COUNT };

static ovk_err groppcg_iterate(ovk_solver *S)
{
  ovk_vec *x = S->x, *r = S->work[WORK_R], *z = S->work[WORK_Z], *p = S->work[WORK_P],
          *p_prev = S->work[WORK_P_PREV], *s = S->work[WORK_S], *q = S->work[WORK_Q],
          *Z = S->work[WORK_AZ];
  const ovk_poll none = ovk_poll_none();
  double sums[COUNT], part, gamma, t, alpha = 0;

  OVK_TRY(ovk_vec_fill(p_prev, 0));
  OVK_TRY(ovk_vec_fill(s, 0));
  sums[RZ] = ovk__op_apply_first_dot(S, r, z);      /* z = M^-1 r */
  sums[RR] = 0;                                     /* known */
  OVK_TRY(ovk__op_begin(S, GAMMA, sums));           /* begin gamma = (r, z) */
  ovk__op_product(S, z, Z, ovk__op_poll(S, GAMMA)); /* Z = A z */
  OVK_TRY(ovk__op_wait(S, GAMMA, sums));            /* end gamma */
  if (ovk__breakdown_recurred_gamma(S, sums[RZ], z)) return OVK_OK;
  gamma = sums[RZ];

  for (double beta = 0;; beta = sums[RZ] / gamma, gamma = sums[RZ]) {
    part = ovk__op_update_p_s(S, beta, z, Z, p_prev, p, s); /* p = z + beta p; s = Z + beta s */
    OVK_TRY(ovk__op_begin(S, T, &part));                    /* begin t = (p, s) */
    ovk__op_apply_other(S, s, q, ovk__op_poll(S, T));       /* q = M^-1 s */
    ovk__op_axpy(S, alpha, p_prev, x, ovk__op_poll(S, T));  /* x = x + alpha p_prev */
    OVK_TRY(ovk__op_wait(S, T, &t));                        /* end t */
    if (ovk__breakdown_recurred_curvature(S, t, z, Z, beta, p_prev, s)) return OVK_OK;
    alpha = gamma / t;
    sums[RR] =
        ovk__op_update_r_z(S, alpha, s, q, r, z, &sums[RZ]); /* r = r - alpha s; z = z - alpha q */
    OVK_TRY(ovk__op_begin(S, GAMMA, sums));                  /* begin gamma' = (r, z), (r, r) */
    ovk__op_product(S, z, Z, ovk__op_poll(S, GAMMA));        /* Z = A z */
    OVK_TRY(ovk__op_wait(S, GAMMA, sums));                   /* end gamma' */
    OVK_TRY(ovk__convergence_test(S, sums[RR], z, alpha, p));
    if (S->reason || ovk__breakdown_recurred_gamma(S, sums[RZ], z)) break;
    ovk__vec_swap(&p, &p_prev);
  }
  ovk__op_axpy(S, alpha, p, x, none); /* x = x + alpha p: the pending update */
  return OVK_OK;
}

static const ovk__phase phases[] = {
    {.kind = OVK__UPDATE, .doubles = {7, 7, 7}, .dots = 1},
    {.kind = OVK__BEGIN, .sum = T},
    {.kind = OVK__PRECOND, .sum = T, .polls = true},
    {.kind = OVK__UPDATE, .sum = T, .polls = true, .doubles = {3, 3, 3}},
    {.kind = OVK__WAIT, .sum = T},
    {.kind = OVK__UPDATE, .doubles = {5, 6, 6}, .dots = 2},
    {.kind = OVK__BEGIN, .sum = GAMMA},
    {.kind = OVK__PRODUCT, .sum = GAMMA, .polls = true},
    {.kind = OVK__WAIT, .sum = GAMMA},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_groppcg = {
    .name = "groppcg",
    .aliases = "gropp",
    .summary = "asynchronous PCG of Gropp; 2 reductions, overlapped with M and with A",
    .vectors = WORK_VECTORS,
    .sums = {[T] = {.count = 1},
             [GAMMA] = {.count = COUNT, .status = true, .projects = 1 << WORK_R | 1 << WORK_Z}},
    .reductions_per_iteration = 2,
    .phases = phases,
    .fallback = &ovk__method_cg,
    .iterate = groppcg_iterate,
    .many = &ovk__many_groppcg,
};
