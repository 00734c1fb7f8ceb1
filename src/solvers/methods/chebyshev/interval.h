/* SPDX-License-Identifier: BSD-2-Clause */
/* The scalars of the Chebyshev iteration: its recurrence for an interval [a, b] that is to hold the
 * spectrum of A M^-1, and the interval itself, which is corrected where the residual shows that an
 * eigenvalue lies outside. */
#ifndef OVK_SOLVERS_METHODS_CHEBYSHEV_INTERVAL_H
#define OVK_SOLVERS_METHODS_CHEBYSHEV_INTERVAL_H

#include <stdbool.h>

/* After k steps r_k = T_k((center - B) / half) r_0 / T_k(center / half), B = A M^-1. */
typedef struct ovk__interval {
  double center, half; /* (b + a) / 2, (b - a) / 2 */
  double alpha, rho;   /* of the current step: x <- x + alpha p */
  int steps;           /* since the start */
  int raised;          /* times that b was raised */
  double start_rr;     /* (r, r) at the start */
} ovk__interval;

/* Starts the recurrence for 0 < a < b from a residual with (r, r) = rr. */
void ovk__interval_start(ovk__interval *I, double a, double b, double rr);

/* Computes the next alpha; returns beta: p <- M^-1 r + beta p */
double ovk__interval_advance(ovk__interval *I);

/* Whether (r, r) = rr shows an eigenvalue outside of the interval, which is then widened, and the
 * recurrence restarted. */
bool ovk__interval_correct(ovk__interval *I, double rr);

/* Whether no interval seems to hold the spectrum: A M^-1 is indefinite or singular, or too
 * ill-conditioned. */
bool ovk__interval_failed(const ovk__interval *I);

#endif
