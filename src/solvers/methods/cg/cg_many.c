/* SPDX-License-Identifier: BSD-2-Clause */
/* Conjugate gradients for several right-hand sides at once, for all methods with their iterates:
 * the iteration of cg.c in each column, with two blocking reductions an iteration for all of them.
 * The coefficients of a column that does not run are 0. */
#include "solvers/many/ops_many.h"

enum { SDOTP, GAMMA };
enum { WORK_R, WORK_P, WORK_S, WORK_VECTORS };
enum { ALPHA, BETA, GAMMAS };

/* alpha = gamma / (p, s), unless A is not definite. */
static void many_cg_step_lengths(ovk__many *B, const double *sdotp)
{
  double *alpha = B->scalar[ALPHA], *gamma = B->scalar[GAMMAS];
  for (int c = 0; c < B->width; c++) {
    const bool runs = ovk__many_runs(B, c) && ovk__many_positive(B, c, sdotp[c]);
    alpha[c] = runs ? gamma[c] / sdotp[c] : 0;
  }
}

/* Tests each column; beta = gamma / gamma_old */
static ovk_err many_cg_test(ovk__many *B, const double *gamma_new, const double *iprod)
{
  double *beta = B->scalar[BETA], *gamma = B->scalar[GAMMAS];
  for (int c = 0; c < B->width; c++) {
    if (ovk__many_runs(B, c)) OVK_TRY(ovk__many_test(B, c, iprod[c]));
    const bool runs = ovk__many_runs(B, c) && ovk__many_positive(B, c, gamma_new[c]);
    beta[c] = runs ? gamma_new[c] / gamma[c] : 0;
    gamma[c] = gamma_new[c];
  }
  return OVK_OK;
}

static ovk_err many_cg_iterate(ovk__many *B)
{
  double *x = B->x, *r = B->work[WORK_R], *p = B->work[WORK_P], *s = B->work[WORK_S];
  double *alpha = B->scalar[ALPHA], *beta = B->scalar[BETA], *gamma = B->scalar[GAMMAS];
  double sums[2 * OVK__WIDEST], ignored[OVK__WIDEST];

  ovk__many_op_apply(B, r, p, gamma, ignored);            /* M p = r */
  OVK_TRY(ovk__many_op_reduce(B, B->sums[SDOTP], gamma)); /* gamma = (r, p) */
  for (int c = 0; c < B->width; c++) {
    if (ovk__many_runs(B, c)) (void)ovk__many_positive(B, c, gamma[c]);
  }
  while (ovk__many_settle(B)) {
    ovk__many_op_mult(B, p, s, sums);                      /* s = A p */
    OVK_TRY(ovk__many_op_reduce(B, B->sums[SDOTP], sums)); /* sdotp = (s, p) */
    many_cg_step_lengths(B, sums);
    double *iprod = sums + B->width;
    ovk__many_op_update_r(B, alpha, s, r, s, sums, iprod); /* r = r - alpha s; M s = r */
    OVK_TRY(ovk__many_op_reduce(B, B->sums[GAMMA], sums)); /* gamma = (r, s); iprod = (r, r) */
    OVK_TRY(many_cg_test(B, sums, iprod));
    ovk__many_op_update_x_p(B, alpha, r, s, beta, p, x); /* x = x + alpha p; p = s + beta p */
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_cg = {
    .vectors = WORK_VECTORS,
    .sums = {[SDOTP] = 1, [GAMMA] = 2},
    .reductions_per_iteration = 2,
    .iterate = many_cg_iterate,
};
