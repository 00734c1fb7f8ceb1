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

/* Stops unless curvature = (p, A p) is positive; s = A p. Returns whether it did. Collective. */
bool ovk__stop_curvature(ovk_solver *S, double curvature, const ovk_vec *p, const ovk_vec *s);

/* Stops unless gamma = (u, v) is positive, where that is (r, C^-1 r) or (L^-1 r, L^-1 r) and `name`
 * says which. Returns whether it did. Collective. */
bool ovk__stop_gamma(ovk_solver *S, double gamma, const ovk_vec *u, const ovk_vec *v,
                     const char *name);

/* Compares the true (r, r) at an exit with the tolerance: confirms convergence, or orders a restart
 * by setting the reason back to OVK_NOT_RUN, or ends with OVK_STAGNATED. */
void ovk__stop_confirm(ovk_solver *S, double true_rr);

/* Finds which of the n vectors has NaN or Inf, or whether the sum (u, v) itself went wrong; ends
 * the solve with OVK_NAN. `names` say what a bad entry there means. Collective. */
void ovk__stop_blame(ovk_solver *S, const char *sum, const ovk_vec *u, const ovk_vec *v, int n,
                     const ovk_vec *const *suspects, const char *const *names);

#endif
