/* SPDX-License-Identifier: BSD-2-Clause */
/* Conjugate gradients for several right-hand sides at once, for all methods with their iterates:
 * the iteration of cg.c in each column, with two blocking reductions an iteration for all of them.
 * And the scalars of the forms with overlap. */
#include "solvers/methods/cg/cg_many.h"

enum { SDOTP, GAMMA };
enum { RZ, RR, COUNT };
enum { WORK_R, WORK_P, WORK_S, WORK_VECTORS };

void ovk__many_step_lengths(ovk__many *B, const double *sdotp)
{
  double *alpha = B->scalar[OVK__ALPHA], *gamma = B->scalar[OVK__GAMMA];
  for (int c = 0; c < B->width; c++) {
    const bool runs = ovk__many_runs(B, c) && ovk__many_positive(B, c, sdotp[c]);
    alpha[c] = runs ? gamma[c] / sdotp[c] : 0;
  }
}

ovk_err ovk__many_test_columns(ovk__many *B, const double *gamma_new, const double *iprod)
{
  double *beta = B->scalar[OVK__BETA], *gamma = B->scalar[OVK__GAMMA];
  for (int c = 0; c < B->width; c++) {
    if (ovk__many_runs(B, c)) OVK_TRY(ovk__many_test(B, c, iprod[c]));
    const bool runs = ovk__many_runs(B, c) && ovk__many_positive(B, c, gamma_new[c]);
    beta[c] = runs ? gamma_new[c] / gamma[c] : 0;
    gamma[c] = gamma_new[c];
  }
  return OVK_OK;
}

void ovk__many_first_gamma(ovk__many *B, const double *gamma_first)
{
  double *gamma = B->scalar[OVK__GAMMA];
  for (int c = 0; c < B->width; c++) {
    gamma[c] = gamma_first[c];
    if (ovk__many_runs(B, c)) (void)ovk__many_positive(B, c, gamma[c]);
  }
}

ovk_err ovk__many_recur(ovk__many *B, bool first, const double *gamma_new, const double *delta,
                        const double *square)
{
  const double *alpha = B->scalar[OVK__ALPHA], *beta = B->scalar[OVK__BETA],
               *gamma = B->scalar[OVK__GAMMA];
  double sdotp[OVK__WIDEST] = {0};
  if (first) {
    ovk__many_first_gamma(B, gamma_new);
  } else {
    OVK_TRY(ovk__many_test_columns(B, gamma_new, square));
  }
  for (int c = 0; c < B->width; c++) {
    if (!ovk__many_runs(B, c)) continue;
    sdotp[c] = first ? delta[c] : delta[c] - beta[c] * gamma[c] / alpha[c]; /* (p, A p) */
  }
  ovk__many_step_lengths(B, sdotp);
  return OVK_OK;
}

static ovk_err many_cg_iterate(ovk__many *B)
{
  double *x = B->x, *r = B->work[WORK_R], *p = B->work[WORK_P], *s = B->work[WORK_S];
  double *alpha = B->scalar[OVK__ALPHA], *beta = B->scalar[OVK__BETA];
  ovk__lane_values sums[COUNT] = {{0}};

  ovk__many_op_apply(B, r, p, sums[RZ], sums[RR]); /* M p = r */
  OVK_TRY(ovk__many_op_reduce(B, SDOTP, sums));    /* gamma = (r, p) */
  ovk__many_first_gamma(B, sums[RZ]);
  while (ovk__many_settle(B)) {
    ovk__many_op_mult(B, p, s, sums[0]);          /* s = A p */
    OVK_TRY(ovk__many_op_reduce(B, SDOTP, sums)); /* sdotp = (s, p) */
    ovk__many_step_lengths(B, sums[0]);
    ovk__many_op_update_r(B, alpha, s, r, s, sums[RZ], sums[RR]); /* r = r - alpha s; M s = r */
    OVK_TRY(ovk__many_op_reduce(B, GAMMA, sums)); /* gamma = (r, s); iprod = (r, r) */
    OVK_TRY(ovk__many_test_columns(B, sums[RZ], sums[RR]));
    ovk__many_op_update_x_p(B, alpha, r, s, beta, p, x); /* x = x + alpha p; p = s + beta p */
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_cg = {
    .vectors = WORK_VECTORS,
    .sums = {[SDOTP] = 1, [GAMMA] = COUNT},
    .scalars = OVK__CG_SCALARS,
    .reductions_per_iteration = 2,
    .overwrites = true,
    .iterate = many_cg_iterate,
};
