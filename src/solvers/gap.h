/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the recurrences of the pipelined method may be from what they stand for: when to
 * recompute its vectors. Source: Cools, Yetkin, Agullo, Giraud, Vanroose, "Analyzing the effect of
 * local rounding error propagation on the maximal attainable accuracy of the pipelined conjugate
 * gradient method" (2018). Here the estimates are linear in the norms, so that scaling b or A
 * changes no decision, and ||A|| is the greatest growth seen, so that a matrix without entries will
 * do. */
#ifndef OVK_SOLVERS_GAP_H
#define OVK_SOLVERS_GAP_H

#include "solvers/updates_hiding.h"

#include <stdbool.h>

typedef struct ovk__gap {
  double norm_A;
  double norms[OVK__PIPELINED_SUMS]; /* of the vectors, by the names of their sums, */
  double r, s, w, z; /* and estimates of b - A x - r, A p - s, A u - w, A q - z in the norm */
  double least;      /* r as it was when the vectors had just been computed */
} ovk__gap;

/* The vectors have just been computed from x and p; norm_b = ||b||. */
void ovk__gap_start(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double norm_b);

/* After the updates with alpha and beta: is it time to recompute the vectors? */
bool ovk__gap_grow(ovk__gap *gap, const double sums[OVK__PIPELINED_SUMS], double alpha,
                   double beta);

#endif
