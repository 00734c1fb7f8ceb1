/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined PCG (pipecg.c) for several right-hand sides at once. Each column has its own estimates
 * of the drift, and its vectors alone are replaced when these ask for it. */
#include "solvers/many/ops_many_overlapped.h"
#include "solvers/methods/cg/cg_many.h"
#include "solvers/ops/ops_overlapped.h"

enum { SUMS };

/* The estimates of each column from the totals; returns whether any asks for a replacement. */
static bool pipecg_many_estimate(ovk__many *B, bool first, ovk__lane_values *sums,
                                 ovk__replacement which[OVK__WIDEST])
{
  const double *alpha = B->scalar[OVK__ALPHA], *beta = B->scalar[OVK__BETA];
  bool any = false;
  for (int c = 0; c < B->width; c++) {
    which[c] = OVK__REPLACE_NONE;
    if (!ovk__many_runs(B, c)) continue;
    ovk__residual_gap *gap = B->lane[c]->own;
    double own[OVK__PIPECG_SUMS];
    for (int k = 0; k < OVK__PIPECG_SUMS; k++) own[k] = sums[k][c];
    if (first) {
      ovk__op_start_residual_gap(&B->lane[c]->solve, own, gap);
    } else {
      which[c] = ovk__residual_gap_update(gap, own, alpha[c], beta[c]);
    }
    any = any || which[c];
  }
  return any;
}

/* u, w, s, q, z of the columns that run, and r with OVK__REPLACE_ALL */
static void pipecg_many_replace(ovk__many *B, ovk__replacement which[OVK__WIDEST],
                                const ovk__pipecg_arrays *v, ovk__lane_values *sums)
{
  bool any = false;
  for (int c = 0; c < B->width; c++) {
    if (!ovk__many_runs(B, c)) which[c] = OVK__REPLACE_NONE;
    if (which[c]) B->lane[c]->solve.counts.replacements++;
    any = any || which[c];
  }
  if (any) ovk__many_op_replace_pipecg(B, which, v, sums);
}

static ovk_err pipecg_many_iterate(ovk__many *B)
{
  ovk__pipecg_arrays v;
  const double *alpha = B->scalar[OVK__ALPHA], *beta = B->scalar[OVK__BETA];
  ovk__lane_values *sums = B->scalar + OVK__CG_SCALARS;
  const double *square = sums[ovk__op_square_at(B->S)];
  ovk__replacement which[OVK__WIDEST];

  OVK__WORK_NAME(B, ovk__pipecg_arrays, &v);
  ovk__many_op_start_pipecg(B, &v, sums); /* u = M^-1 r; w = A u */
  for (bool first = true; ovk__many_settle(B); first = false) {
    OVK_TRY(ovk__many_op_begin(B, SUMS, sums)); /* begin gamma = (r, u), delta = (w, u), ... */
    const ovk_poll poll = ovk__many_op_poll(B, SUMS);
    ovk__many_op_apply_other(B, v.w, v.m, poll); /* m = M^-1 w */
    ovk__many_op_product(B, v.m, v.n, poll);     /* n = A m */
    OVK_TRY(ovk__many_op_wait(B, SUMS, sums));   /* end gamma, delta, ... */
    const bool replaces = pipecg_many_estimate(B, first, sums, which);
    OVK_TRY(ovk__many_recur(B, first, sums[OVK__RU], sums[OVK__WU], square));
    /* z, q, s, p; x, r, u, w; the sums */
    ovk__many_op_update_pipecg(B, alpha, beta, &v, sums);
    if (replaces) pipecg_many_replace(B, which, &v, sums);
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_pipecg = {
    .vectors = OVK__WORK_COUNT(ovk__pipecg_arrays),
    .sums = {[SUMS] = OVK__PIPECG_SUMS},
    .scalars = OVK__CG_SCALARS + OVK__PIPECG_SUMS,
    .own = sizeof(ovk__residual_gap),
    .reductions_per_iteration = 1,
    .iterate = pipecg_many_iterate,
};
