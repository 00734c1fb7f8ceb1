/* SPDX-License-Identifier: BSD-2-Clause */
/* Gropp's method (groppcg.c) for several right-hand sides at once. A column that ends gets its
 * pending update of x before it leaves the block. */
#include "solvers/many/ops_many_overlapped.h"
#include "solvers/methods/cg/cg_many.h"

enum { T, GAMMA };
enum { WORK_R, WORK_Z, WORK_P, WORK_P_PREV, WORK_S, WORK_Q, WORK_AZ, WORK_VECTORS };
enum { RZ, RR, COUNT };

/* x = x + alpha p in the columns that have ended, and alpha = 0 in all that do not run. */
static void groppcg_many_complete(ovk__many *B, const double *p, double *x)
{
  double *alpha = B->scalar[OVK__ALPHA], last[OVK__WIDEST] = {0};
  bool any = false;
  for (int c = 0; c < B->width; c++) {
    if (ovk__many_runs(B, c)) continue;
    const bool ended = B->lane[c] && B->lane[c]->end == OVK__COLUMN_ENDED;
    if (ended) last[c] = alpha[c];
    any = any || ended;
    alpha[c] = 0;
  }
  if (any) ovk__many_op_axpy(B, last, p, x, ovk_poll_none());
}

static ovk_err groppcg_many_iterate(ovk__many *B)
{
  double *x = B->x, *r = B->work[WORK_R], *z = B->work[WORK_Z], *p = B->work[WORK_P],
         *p_prev = B->work[WORK_P_PREV], *s = B->work[WORK_S], *q = B->work[WORK_Q],
         *Z = B->work[WORK_AZ];
  double *alpha = B->scalar[OVK__ALPHA], *beta = B->scalar[OVK__BETA];
  ovk__lane_values sums[COUNT] = {{0}};

  ovk__many_op_zero(B, p_prev);
  ovk__many_op_zero(B, s);
  ovk__many_op_apply(B, r, z, sums[RZ], sums[RR]);            /* z = M^-1 r */
  OVK_TRY(ovk__many_op_begin(B, GAMMA, sums));                /* begin gamma = (r, z) */
  ovk__many_op_product(B, z, Z, ovk__many_op_poll(B, GAMMA)); /* Z = A z */
  OVK_TRY(ovk__many_op_wait(B, GAMMA, sums));                 /* end gamma */
  ovk__many_first_gamma(B, sums[RZ]);
  while (ovk__many_settle(B)) {
    /* p = z + beta p; s = Z + beta s */
    ovk__many_op_update_p_s(B, beta, z, Z, p_prev, p, s, sums[0]);
    OVK_TRY(ovk__many_op_begin(B, T, sums));                         /* begin t = (p, s) */
    ovk__many_op_apply_other(B, s, q, ovk__many_op_poll(B, T));      /* q = M^-1 s */
    ovk__many_op_axpy(B, alpha, p_prev, x, ovk__many_op_poll(B, T)); /* x = x + alpha p_prev */
    OVK_TRY(ovk__many_op_wait(B, T, sums));                          /* end t */
    ovk__many_step_lengths(B, sums[0]);
    /* r = r - alpha s; z = z - alpha q */
    ovk__many_op_update_r_z(B, alpha, s, q, r, z, sums[RZ], sums[RR]);
    OVK_TRY(ovk__many_op_begin(B, GAMMA, sums));                /* begin gamma' = (r, z), (r, r) */
    ovk__many_op_product(B, z, Z, ovk__many_op_poll(B, GAMMA)); /* Z = A z */
    OVK_TRY(ovk__many_op_wait(B, GAMMA, sums));                 /* end gamma' */
    OVK_TRY(ovk__many_test_columns(B, sums[RZ], sums[RR]));
    groppcg_many_complete(B, p, x);
    double *const last = p;
    p = p_prev;
    p_prev = last;
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_groppcg = {
    .vectors = WORK_VECTORS,
    .sums = {[T] = 1, [GAMMA] = COUNT},
    .scalars = OVK__CG_SCALARS,
    .reductions_per_iteration = 2,
    .iterate = groppcg_many_iterate,
};
