/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the recurrences of the pipelined method may be from what they stand for: when to
 * recompute its vectors. Sources: Cools, Yetkin, Agullo, Giraud, Vanroose, "Analyzing the effect of
 * local rounding error propagation on the maximal attainable accuracy of the pipelined conjugate
 * gradient method" (2018), for the estimates; van der Vorst and Ye, "Residual replacement
 * strategies for Krylov subspace iterative methods for the convergence of true residuals" (2000),
 * for when r may be replaced. Here the estimates are linear in the norms, so that scaling b or A
 * changes no decision, and ||A|| is the greatest growth seen, so that a matrix without entries will
 * do. */
#ifndef OVK_SOLVERS_GAP_H
#define OVK_SOLVERS_GAP_H

#include "solvers/updates_hiding.h"

/* What to recompute. */
typedef enum ovk__cure {
  OVK__CURE_NONE,
  OVK__CURE_PRODUCTS, /* u, w, s, q, z: what C^-1 and A make of r and p */
  OVK__CURE_ALL       /* r as well */
} ovk__cure;

typedef struct ovk__gap {
  double norm_A, norm_b, tolerance;
  double norms[OVK__PIPELINED_SUMS]; /* of the vectors, by the names of their sums, */
  double r, s, w, z; /* and estimates of b - A x - r, A p - s, A u - w, A q - z in the norm */
  ovk__cure cure;    /* ordered at the last step */
} ovk__gap;

/* The vectors have just been computed; ||b - A x|| must come to the tolerance. */
void ovk__gap_start(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double norm_b,
                    double tolerance);

/* After the updates with alpha and beta, and the cure that was ordered before them: which one is
 * to follow the next updates? */
ovk__cure ovk__gap_step(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double alpha,
                        double beta);

#endif
