/* SPDX-License-Identifier: BSD-2-Clause */
/* The single-reduction method (single_reduction.c) for several right-hand sides at once. */
#include "solvers/many/ops_many_overlapped.h"
#include "solvers/methods/cg/cg_many.h"

enum { SUMS };
enum { WORK_R, WORK_U, WORK_W, WORK_P, WORK_S, WORK_VECTORS };
enum { GAMMA, DELTA, RR, COUNT };

static ovk_err single_reduction_many_iterate(ovk__many *B)
{
  double *r = B->work[WORK_R], *u = B->work[WORK_U], *w = B->work[WORK_W], *p = B->work[WORK_P],
         *s = B->work[WORK_S];
  double *alpha = B->scalar[OVK__ALPHA], *beta = B->scalar[OVK__BETA];
  ovk__lane_values *sums = B->scalar + OVK__CG_SCALARS;

  ovk__many_op_zero(B, p);
  ovk__many_op_zero(B, s);
  ovk__many_op_apply(B, r, u, sums[GAMMA], sums[RR]); /* u = M^-1 r */
  for (bool first = true; ovk__many_settle(B); first = false) {
    ovk__many_op_mult(B, u, w, sums[DELTA]);     /* w = A u */
    OVK_TRY(ovk__many_op_reduce(B, SUMS, sums)); /* gamma = (r, u), delta = (w, u), (r, r) */
    OVK_TRY(ovk__many_recur(B, first, sums[GAMMA], sums[DELTA], sums[RR]));
    /* p = u + beta p; s = w + beta s; x = x + alpha p; r = r - alpha s; u = M^-1 r */
    ovk__many_op_update_single_reduction(B, alpha, beta, u, w, p, s, r, sums[GAMMA], sums[RR]);
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_single_reduction = {
    .vectors = WORK_VECTORS,
    .sums = {[SUMS] = COUNT},
    .scalars = OVK__CG_SCALARS + COUNT,
    .reductions_per_iteration = 1,
    .iterate = single_reduction_many_iterate,
};
