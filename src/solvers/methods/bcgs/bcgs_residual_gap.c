/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates of the gaps of pipelined BiCGStab: scalars only, therefore not in the method's file. */
#include "solvers/methods/bcgs/bcgs_residual_gap.h"

#include <float.h>
#include <math.h>

/* The unit roundoff. */
static const double EPS = DBL_EPSILON / 2;

static double bcgs_norm_ratio(double image, double original)
{
  return original > 0 ? sqrt(image / original) : 0;
}

void ovk__bcgs_residual_gap_start(ovk__bcgs_residual_gap *gap, const double full[OVK__PB_FULL_SUMS],
                                  double norm_b, double tolerance)
{
  *gap = (ovk__bcgs_residual_gap){.norm_b = norm_b,
                                  .tolerance = tolerance,
                                  .norm_B = bcgs_norm_ratio(full[OVK__PB_WW], full[OVK__PB_RR]),
                                  .norm_r = sqrt(full[OVK__PB_RR]),
                                  .norm_w = sqrt(full[OVK__PB_WW])};
  gap->r = EPS * norm_b;
  gap->w = EPS * gap->norm_w;
}

ovk__replacement ovk__bcgs_residual_gap_update(ovk__bcgs_residual_gap *gap,
                                               const double half[OVK__PB_HALF_SUMS],
                                               const double full[OVK__PB_FULL_SUMS],
                                               const ovk__bcgs_coeffs *step, double omega_old)
{
  const ovk__bcgs_residual_gap old = *gap;
  const double alpha = fabs(step->alpha), beta = fabs(step->beta), omega = fabs(step->omega);
  const double turn = beta * fabs(omega_old);
  const double x = sqrt(full[OVK__PB_XX]), p = sqrt(half[OVK__PB_PP]), y = sqrt(half[OVK__PB_YY]);
  gap->norm_r = sqrt(full[OVK__PB_RR]);
  gap->norm_w = sqrt(full[OVK__PB_WW]);
  gap->norm_s = sqrt(half[OVK__PB_SS]);
  gap->norm_z = sqrt(half[OVK__PB_ZZ]);
  gap->norm_A = fmax(old.norm_A, bcgs_norm_ratio(half[OVK__PB_SS], half[OVK__PB_PP]));
  gap->norm_B = fmax(fmax(old.norm_B, bcgs_norm_ratio(half[OVK__PB_ZZ], half[OVK__PB_SS])),
                     bcgs_norm_ratio(full[OVK__PB_WW], full[OVK__PB_RR]));
  const double A = gap->norm_A, B = gap->norm_B;

  gap->z = beta * old.z + /* z = t + beta (z - omega v) */
           2 * EPS * (B * old.norm_w + (beta + turn * B) * old.norm_z + gap->norm_z);
  gap->s = old.w + beta * old.s + turn * old.z + /* s = w + beta (s - omega z) */
           2 * EPS * (old.norm_w + beta * old.norm_s + turn * old.norm_z + gap->norm_s);
  const double gap_y = old.w + alpha * gap->z + /* y = w - alpha z */
                       2 * EPS * (old.norm_w + alpha * gap->norm_z);
  gap->r = old.r + alpha * gap->s + omega * gap_y + /* r = r - alpha s - omega y */
           EPS * (A * x + gap->norm_r + 2 * alpha * gap->norm_s + 2 * omega * y);
  gap->w = gap_y + /* w = y - omega (t - alpha v) */
           2 * EPS * (gap->norm_w + omega * B * (old.norm_w + alpha * gap->norm_z));

  const double rounding_r = EPS * (A * x + gap->norm_b);
  if (old.replacement != OVK__REPLACE_NONE) {
    gap->s = EPS * A * p;
    gap->z = EPS * B * gap->norm_s;
    gap->w = EPS * B * gap->norm_r;
  }
  if (old.replacement == OVK__REPLACE_ALL) gap->r = rounding_r;
  gap->replacement = ovk__residual_gap_judge(&(ovk__drift){.step = alpha * gap->s + omega * gap_y,
                                                           .product = gap->s,
                                                           .rounding = EPS * A * p,
                                                           .r = gap->r,
                                                           .norm_r = gap->norm_r,
                                                           .r_old = old.r,
                                                           .norm_r_old = old.norm_r,
                                                           .rounding_r = rounding_r,
                                                           .tolerance = gap->tolerance});
  return gap->replacement;
}
