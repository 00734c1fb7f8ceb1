/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates of the gap between the recurred vectors and the exact quantities. Scalars only,
 * therefore not in the method's file. */
#include "solvers/ops/residual_gap.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The unit roundoff. */
static const double EPS = DBL_EPSILON / 2;

/* No step may perturb r by more than this fraction of ||r||: neither through the drift of s in r -
 * alpha s, nor by replacing r. Convergence is then as in ten-digit arithmetic at worst, in practice
 * as in thirteen digits, because the estimates are upper bounds. See "When to recompute" in
 * docs/lessons.md. */
static const double TAU = 1e-10;

/* Nor need it be less than this fraction of the tolerance: as r shrinks, a step may perturb it by
 * ever more of ||r||, and still the norms in the tests are right to four digits. */
static const double HARMLESS = 1e-4;

/* Recomputing s pays when its drift exceeds the rounding error of a recomputed s by this factor. */
static const double GROWTH = 1e2;

/* The same for ||r||: below this multiple of its rounding error a recomputed b - A x is noise, so
 * the recurrence for r continues unreplaced until the caller checks the true residual. */
static const double NOISE = 10;

ovk__replacement ovk__residual_gap_judge(const ovk__drift *d)
{
  const bool drifted =
      d->step > fmax(TAU * d->norm_r, HARMLESS * d->tolerance) && d->product > GROWTH * d->rounding;
  const bool crossed = d->r_old <= TAU * d->norm_r_old && d->r > TAU * d->norm_r;
  if (crossed && d->r > d->tolerance && d->norm_r > NOISE * d->rounding_r) {
    return OVK__REPLACE_ALL;
  }
  return drifted ? OVK__REPLACE_PRODUCTS : OVK__REPLACE_NONE;
}

/* If a norm overflows, the estimates do too, and none of the tests below triggers a replacement. */
static void gap_take_norms(ovk__residual_gap *gap, const double sums[OVK__PIPECG_SUMS])
{
  static const int of[3][2] = {{OVK__WW, OVK__UU}, {OVK__SS, OVK__PP}, {OVK__ZZ, OVK__QQ}};
  double *v = gap->norms;
  for (int k = OVK__RR; k < OVK__PIPECG_SUMS; k++) v[k] = sqrt(sums[k]);
  for (int k = 0; k < 3; k++) {
    const double image = v[of[k][0]], original = v[of[k][1]];
    if (original > 0) gap->norm_A = fmax(gap->norm_A, image / original);
  }
}

/* Rounding error of a computed b - A x, in the norm. */
static double gap_rounding_r(const ovk__residual_gap *gap)
{
  return EPS * (gap->norm_A * gap->norms[OVK__XX] + gap->norm_b);
}

/* The same for A v. */
static double gap_rounding_product(const ovk__residual_gap *gap, int vv)
{
  return EPS * gap->norm_A * gap->norms[vv];
}

static void gap_account_for(ovk__residual_gap *gap, ovk__replacement replacement)
{
  if (replacement == OVK__REPLACE_NONE) return;
  gap->s = gap_rounding_product(gap, OVK__PP);
  gap->w = gap_rounding_product(gap, OVK__UU);
  gap->z = gap_rounding_product(gap, OVK__QQ);
  if (replacement == OVK__REPLACE_ALL) gap->r = gap_rounding_r(gap);
}

void ovk__residual_gap_start(ovk__residual_gap *gap, const double sums[OVK__PIPECG_SUMS],
                             double norm_b, double tolerance)
{
  *gap = (ovk__residual_gap){.norm_b = norm_b, .tolerance = tolerance};
  gap_take_norms(gap, sums);
  gap_account_for(gap, OVK__REPLACE_ALL);
}

ovk__replacement ovk__residual_gap_update(ovk__residual_gap *gap,
                                          const double sums[OVK__PIPECG_SUMS], double alpha,
                                          double beta)
{
  const ovk__residual_gap old = *gap;
  const double *was = old.norms, *v = gap->norms;
  gap_take_norms(gap, sums);
  const double A = gap->norm_A, a = 2 * alpha, b = 2 * beta;
  const double m = v[OVK__QQ] + beta * was[OVK__QQ], n = v[OVK__ZZ] + beta * was[OVK__ZZ];
  gap->z = beta * old.z + /* z = n + beta z, q = m + beta q */
           EPS * (A * (2 * m + b * was[OVK__QQ]) + n + b * was[OVK__ZZ]);
  gap->s = beta * old.s + old.w + /* s = w + beta s, p = u + beta p */
           EPS * (A * (was[OVK__UU] + b * was[OVK__PP]) + was[OVK__WW] + b * was[OVK__SS]);
  gap->r = old.r + alpha * gap->s + /* r = r - alpha s, x = x + alpha p */
           EPS * (A * (v[OVK__XX] + a * v[OVK__PP]) + v[OVK__RR] + a * v[OVK__SS]);
  gap->w = old.w + alpha * gap->z + /* w = w - alpha z, u = u - alpha q */
           EPS * (A * (v[OVK__UU] + a * v[OVK__QQ]) + v[OVK__WW] + a * v[OVK__ZZ]);
  gap_account_for(gap, old.replacement);

  gap->replacement =
      ovk__residual_gap_judge(&(ovk__drift){.step = alpha * gap->s,
                                            .product = gap->s,
                                            .rounding = gap_rounding_product(gap, OVK__PP),
                                            .r = gap->r,
                                            .norm_r = v[OVK__RR],
                                            .r_old = old.r,
                                            .norm_r_old = was[OVK__RR],
                                            .rounding_r = gap_rounding_r(gap),
                                            .tolerance = gap->tolerance});
  return gap->replacement;
}
