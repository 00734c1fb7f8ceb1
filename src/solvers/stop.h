/* SPDX-License-Identifier: BSD-2-Clause */
/* When and why a solve stops: the one place for the norm, the tolerance and the checks. Everything
 * is decided from global sums, so that all ranks decide alike. */
#ifndef OVK_SOLVERS_STOP_H
#define OVK_SOLVERS_STOP_H

#include "solvers/solver_impl.h"

/* Ends the solve for `reason`, with a sentence in printf style. */
void ovk__stop(ovk_solver *S, ovk_reason reason, const char *format, ...) OVK_PRINTF(3, 4);

/* From (b, b) and (r, r) before the first iteration: sets the tolerance, and stops for a zero b,
 * for NaN and Inf, and if x0 is good enough. Collective. */
ovk_err ovk__stop_start(ovk_solver *S, double bb, double rr);

/* Counts an iteration and looks at its (r, r): converged, diverged, NaN, the monitor's wish, maxit.
 * The method's x is x + alpha p, where the update has still to be made, or x for p = NULL.
 * Collective. */
ovk_err ovk__stop_test(ovk_solver *S, double rr, double alpha, const ovk_vec *p);

/* Stops unless curvature = (p, A p) is positive; s = A p, and z is the preconditioner's output that
 * p was made of, or NULL where stop_gamma has seen it (for a diagonal C it always has). Returns
 * whether it did. Collective. */
bool ovk__stop_curvature(ovk_solver *S, double curvature, const ovk_vec *z, const ovk_vec *p,
                         const ovk_vec *s);

/* Stops unless gamma = (u, v) is positive, where that is (r, C^-1 r) or (L^-1 r, L^-1 r) and `name`
 * says which; v is overwritten if it was left unstored. Returns whether it did. Collective. */
bool ovk__stop_gamma(ovk_solver *S, double gamma, const ovk_vec *u, ovk_vec *v, const char *name);

/* Stops unless gamma = (r, u) is positive, where u stands for C^-1 r and may come from a
 * recurrence: then only if C^-1 r itself says so. Returns whether the method must end, be it for
 * its fallback to go on; u is then overwritten. Collective. */
bool ovk__stop_recurred_gamma(ovk_solver *S, double gamma, ovk_vec *u);

/* The same for curvature, which stands for (p, A p) of the next p = u + beta p, with w for A u. p
 * and s are then overwritten. Collective. */
bool ovk__stop_recurred_curvature(ovk_solver *S, double curvature, ovk_vec *u, const ovk_vec *w,
                                  double beta, ovk_vec *p, ovk_vec *s);

/* The same for the p that is there, where s stands for A p and is then overwritten; z is the
 * preconditioner's output that p was made of. */
bool ovk__stop_drifted_curvature(ovk_solver *S, double curvature, const ovk_vec *z,
                                 const ovk_vec *p, ovk_vec *s);

/* Stops if the next (r, C^-1 r), predicted from inner products of s, z = C^-1 r and q = C^-1 s, is
 * NaN or Inf. Returns whether it did. Collective. */
bool ovk__stop_prediction(ovk_solver *S, double predicted, const ovk_vec *z, const ovk_vec *s,
                          const ovk_vec *q);

/* Compares the true (r, r) at an exit with the tolerance: confirms convergence, or orders a restart
 * by setting the reason back to OVK_NOT_RUN, or ends with OVK_STAGNATED. A method with a fallback
 * restarts once, unless it cannot go on; then the fallback does. Collective. */
void ovk__stop_confirm(ovk_solver *S, double true_rr);

/* An inner product that is not what it should be, and where that can come from. */
typedef struct ovk__suspicion {
  const char *sum;            /* "(p, A p)" */
  const ovk_vec *u, *v;       /* of which it is the inner product */
  int iteration;              /* in which it was found */
  int n;                      /* suspects, the first to be blamed first */
  const ovk_vec *suspects[3]; /* NULL: none */
  const char *names[3];       /* what a bad entry there means */
} ovk__suspicion;

/* The sum is NaN or Inf: finds which vector is, or whether the sum itself went wrong; ends the
 * solve with OVK_NAN. Collective. */
void ovk__stop_blame(ovk_solver *S, const ovk__suspicion *suspicion);

/* Is the sum 0 only because products of its vectors are too small for a double? Then ends the solve
 * with OVK_NAN. Collective. */
bool ovk__stop_underflow(ovk_solver *S, const ovk__suspicion *suspicion);

#endif
