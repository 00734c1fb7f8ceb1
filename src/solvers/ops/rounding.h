/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the rounding errors of conjugate gradients from x = 0 can have moved b - A x from the r
 * of the recurrence. Each number is a bound, not an estimate, made from totals that the method has
 * anyway. Sources: van der Vorst and Ye, "Residual replacement strategies for Krylov subspace
 * iterative methods for the convergence of true residuals" (2000); Greenbaum, "Estimating the
 * attainable accuracy of recursively computed residual methods" (1997). For shells that bound the
 * errors of their products, in the preconditioned norm, which is that of z = M^-1 r. */
#ifndef OVK_SOLVERS_OPS_ROUNDING_H
#define OVK_SOLVERS_OPS_ROUNDING_H

#include "solvers/state/state.h"

/* Squares of S->rounding.product and diagonal, which are summed with those of b and r. */
enum { OVK__ROUNDING_PRODUCT, OVK__ROUNDING_DIAGONAL, OVK__ROUNDING_SUMS };

/* This rank's parts of the sums; zeros where the bounds are not for this solve. */
void ovk__rounding_parts(ovk_solver *S, bool x_is_zero, double parts[OVK__ROUNDING_SUMS]);

/* Takes the totals. */
void ovk__rounding_take_totals(ovk_solver *S, const double totals[OVK__ROUNDING_SUMS]);

/* As the method starts with p = M^-1 r, whose norm is that of the test. */
void ovk__rounding_start(ovk_solver *S);

/* After x + alpha p and r - alpha A p, with gamma = (r, z), zz = (z, z), and p <- z + beta p, which
 * may still have to be computed. */
void ovk__rounding_step(ovk_solver *S, double alpha, double gamma, double zz, double beta);

#endif
