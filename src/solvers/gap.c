/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates of the gap between recurrences and truth. Apart from the method because they are
 * scalars only. */
#include "solvers/gap.h"

#include <float.h>
#include <math.h>

/* The unit roundoff. */
static const double EPS = DBL_EPSILON / 2;

/* The gap may come to this part of ||r||, sqrt(eps) as in the source. On real matrices 1e-6
 * recomputes half as often, but takes a third more iterations where A is ill-conditioned. */
static const double TAU = 1.4901161193847656e-8;

/* A gap that was beyond TAU when the vectors had just been computed may grow so many times: without
 * this, an ill-conditioned problem whose r is small from the start would never be helped. */
static const double GROWTH = 1e3;

/* Recomputing helps while ||r|| is so many times what rounding leaves at best: else r is noise, and
 * goes on by itself, down to where the caller looks at the true residual. */
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

void ovk__gap_start(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double norm_b)
{
  take_norms(gap, sums);
  const double *v = gap->norms, eA = EPS * gap->norm_A;
  gap->r = gap->least = eA * v[OVK__XX] + EPS * norm_b;
  gap->s = eA * v[OVK__PP];
  gap->w = eA * v[OVK__UU];
  gap->z = eA * v[OVK__QQ];
}

bool ovk__gap_grow(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double alpha, double beta)
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
  const double norm_r = v[OVK__RR];
  const bool crossed = old.r <= TAU * was[OVK__RR] && gap->r > TAU * norm_r;
  const bool grown = gap->r > TAU * norm_r && gap->r > GROWTH * gap->least;
  return (crossed || grown) && norm_r > NOISE * gap->least;
}
