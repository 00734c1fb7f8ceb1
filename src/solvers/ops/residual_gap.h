/* SPDX-License-Identifier: BSD-2-Clause */
/* Residual replacement for the pipelined method: estimates how far the recurred vectors have
 * drifted from the quantities that they approximate, and decides when to recompute them. Sources:
 * Cools, Yetkin, Agullo, Giraud, Vanroose, "Analyzing the effect of local rounding error
 * propagation on the maximal attainable accuracy of the pipelined conjugate gradient method"
 * (2018), for the estimates; van der Vorst and Ye, "Residual replacement strategies for Krylov
 * subspace iterative methods for the convergence of true residuals" (2000), for when r may be
 * replaced. Here the estimates are linear in the norms, so that scaling b or A changes no decision,
 * and ||A|| is estimated by the largest ||A v|| / ||v|| seen, which works for matrix-free
 * operators. */
#ifndef OVK_SOLVERS_OPS_RESIDUAL_GAP_H
#define OVK_SOLVERS_OPS_RESIDUAL_GAP_H

#include "solvers/kernels/updates/updates_overlapped.h"

/* The vectors to recompute. */
typedef enum ovk__replacement {
  OVK__REPLACE_NONE,
  OVK__REPLACE_PRODUCTS, /* u, w, s, q, z: products of M^-1 and A with r and p */
  OVK__REPLACE_ALL       /* and r */
} ovk__replacement;

/* The estimates by which to decide: after a step, and `crossed` with those before it. */
typedef struct ovk__drift {
  double step;      /* by how much products that have drifted perturb r in the step */
  double product;   /* the gap of such a product, and */
  double rounding;  /* the rounding error of the same, when recomputed */
  double r, norm_r; /* ||b - A x - r||, and ||r||; the same before the step: */
  double r_old, norm_r_old;
  double rounding_r; /* the rounding error of b - A x, when recomputed */
  double tolerance;
} ovk__drift;

ovk__replacement ovk__residual_gap_judge(const ovk__drift *drift);

typedef struct ovk__residual_gap {
  double norm_A, norm_b, tolerance;
  double norms[OVK__PIPECG_SUMS]; /* of the vectors, indexed like the sums */
  double r, s, w, z; /* estimates of ||b - A x - r||, ||A p - s||, ||A u - w||, ||A q - z|| */
  ovk__replacement replacement; /* requested by the last step */
} ovk__residual_gap;

/* Starts from vectors that have just been computed; the solve stops when ||b - A x|| is at most
 * `tolerance`. */
void ovk__residual_gap_start(ovk__residual_gap *gap, const double sums[OVK__PIPECG_SUMS],
                             double norm_b, double tolerance);

/* To be called after the updates with alpha and beta and the replacement that the previous call
 * requested. Returns the replacement to be made after the next updates. */
ovk__replacement ovk__residual_gap_update(ovk__residual_gap *gap,
                                          const double sums[OVK__PIPECG_SUMS], double alpha,
                                          double beta);

#endif
