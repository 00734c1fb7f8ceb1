/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates of the gap between recurrences and truth. Apart from the method because they are
 * scalars only. */
#include "solvers/gap.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The unit roundoff. */
static const double EPS = DBL_EPSILON / 2;

/* No step may perturb r by more than this part of ||r||: neither by the drift of s in r - alpha s,
 * nor by replacing r. Convergence is then as in an arithmetic of ten digits at worst; in practice
 * of thirteen, as the estimates are bounds. See "When to recompute" in docs/performance.md. */
static const double TAU = 1e-10;

/* Recomputing s helps where its drift is so many times what rounding leaves in a new one. */
static const double GROWTH = 1e2;

/* The same for ||r||: below, b - A x is noise, and r goes on by itself, down to where the caller
 * looks at the true residual. */
static const double NOISE = 10;

/* Norms that overflow make estimates that no test below finds too large. */
static void take_norms(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS])
{
  static const int of[3][2] = {{OVK__WW, OVK__UU}, {OVK__SS, OVK__PP}, {OVK__ZZ, OVK__QQ}};
  double *v = gap->norms;
  for (int k = OVK__RR; k < OVK__PIPELINED_SUMS; k++) v[k] = sqrt(sums[k]);
  for (int k = 0; k < 3; k++) {
    const double image = v[of[k][0]], original = v[of[k][1]];
    if (original > 0) gap->norm_A = fmax(gap->norm_A, image / original);
  }
}

/* What rounding leaves in b - A x. */
static double least_r(const ovk__gap *gap)
{
  return EPS * (gap->norm_A * gap->norms[OVK__XX] + gap->norm_b);
}

/* What it leaves in A v. */
static double least_product(const ovk__gap *gap, int vv)
{
  return EPS * gap->norm_A * gap->norms[vv];
}

static void account_for(ovk__gap *gap, ovk__cure cure)
{
  if (cure == OVK__CURE_NONE) return;
  gap->s = least_product(gap, OVK__PP);
  gap->w = least_product(gap, OVK__UU);
  gap->z = least_product(gap, OVK__QQ);
  if (cure == OVK__CURE_ALL) gap->r = least_r(gap);
}

void ovk__gap_start(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double norm_b,
                    double tolerance)
{
  *gap = (ovk__gap){.norm_b = norm_b, .tolerance = tolerance};
  take_norms(gap, sums);
  account_for(gap, OVK__CURE_ALL);
}

ovk__cure ovk__gap_step(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double alpha,
                        double beta)
{
  const ovk__gap old = *gap;
  const double *was = old.norms, *v = gap->norms;
  take_norms(gap, sums);
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
  account_for(gap, old.cure);

  const double norm_r = v[OVK__RR];
  const bool drifted =
      alpha * gap->s > TAU * norm_r && gap->s > GROWTH * least_product(gap, OVK__PP);
  const bool crossed = old.r <= TAU * was[OVK__RR] && gap->r > TAU * norm_r;
  if (crossed && gap->r > gap->tolerance && norm_r > NOISE * least_r(gap)) {
    gap->cure = OVK__CURE_ALL;
  } else {
    gap->cure = drifted ? OVK__CURE_PRODUCTS : OVK__CURE_NONE;
  }
  return gap->cure;
}
