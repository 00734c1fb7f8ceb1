/* SPDX-License-Identifier: BSD-2-Clause */
/* When pipelined BiCGStab recomputes its vectors: estimates of how far they have drifted. Source of
 * the recurrences of the gaps: Cools, "Analyzing and improving maximal attainable accuracy in the
 * communication hiding pipelined BiCGStab method" (2019); decisions are those of
 * residual_gap.h. */
#ifndef OVK_SOLVERS_METHODS_BCGS_BCGS_RESIDUAL_GAP_H
#define OVK_SOLVERS_METHODS_BCGS_BCGS_RESIDUAL_GAP_H

#include "solvers/kernels/updates/updates_pipebcgs.h"
#include "solvers/ops/residual_gap.h"

typedef struct ovk__bcgs_residual_gap {
  double norm_A, norm_B, norm_b, tolerance; /* of A, and of B = A M^-1 */
  double r, w, s, z; /* ||b - A x - r||, ||A cr - w||, ||A p - s||, ||A cs - z||, estimated */
  double norm_r, norm_w, norm_s, norm_z; /* of the last step */
  ovk__replacement replacement;          /* requested by the last step */
} ovk__bcgs_residual_gap;

/* Starts from vectors that have just been computed, s = z = p = 0. */
void ovk__bcgs_residual_gap_start(ovk__bcgs_residual_gap *gap, const double full[OVK__PB_FULL_SUMS],
                                  double norm_b, double tolerance);

/* To be called with the totals of both sweeps of a step, after the replacement that the previous
 * call requested; omega_old is that of the step before. Returns the replacement to be made after
 * the next step. */
ovk__replacement ovk__bcgs_residual_gap_update(ovk__bcgs_residual_gap *gap,
                                               const double half[OVK__PB_HALF_SUMS],
                                               const double full[OVK__PB_FULL_SUMS],
                                               const ovk__bcgs_coeffs *step, double omega_old);

#endif
