/* SPDX-License-Identifier: BSD-2-Clause */
/* The stopping rules: norm, tolerance and breakdown checks of all methods. Every decision depends
 * on reductions only, so all ranks decide alike. Functions that return whether the method must end
 * also return true if a diagnosis failed: all ranks then record the error, which the next sum with
 * a status reports. */
#ifndef OVK_SOLVERS_CONVERGENCE_CONVERGENCE_H
#define OVK_SOLVERS_CONVERGENCE_CONVERGENCE_H

#include "solvers/state/state.h"

/* From the squares of b and r before the first iteration: sets the tolerance; stops for a zero b,
 * for NaN and Inf, and if x0 meets the tolerance. Overwrites S->work[OVK__WORK_SCRATCH] only where
 * it stops. Collective. */
ovk_err ovk__convergence_start(ovk_solver *S, const ovk__square *b, const ovk__square *r);

/* Counts an iteration and tests rr, the square of r's norm as by ovk__op_norm(): converged,
 * diverged, NaN, the monitor's stop request, maxit. z is the vector of the method for M^-1 r; it is
 * not read for a diagonal M. The current iterate is x + alpha p if the method updates x later, or x
 * for p = NULL. Collective. */
ovk_err ovk__convergence_test(ovk_solver *S, double rr, const ovk_vec *z, double alpha,
                              const ovk_vec *p);

/* Compares the true residual at the exit of a method with the tolerance: confirms convergence, or
 * requests a restart by setting the reason back to OVK_REASON_NOT_RUN, or ends with
 * OVK_REASON_STAGNATED. A method with a fallback is restarted once at most, and not at all if it
 * broke down; after that the fallback takes over. Overwrites S->work[OVK__WORK_SCRATCH] only where
 * it ends the solve. Collective. */
ovk_err ovk__convergence_confirm(ovk_solver *S, const ovk__square *r);

/* For the x of an end, of norm norm_x, that was rounded to doubles in the units of the user,
 * and r = b - A x: the end is OVK_REASON_NAN if x was to meet the tolerance and does not any
 * more, or if it is not finite. */
void ovk__convergence_rounded(ovk_solver *S, const ovk__square *r, double norm_x);

#endif
