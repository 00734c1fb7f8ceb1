/* SPDX-License-Identifier: BSD-2-Clause */
/* Powers of two that bring A, M^-1 and b into the range in which doubles can be squared. They
 * change no bit of a mantissa, so the iterations are those of the same system in other units: (2^a
 * A) y = 2^b b with 2^c M^-1, and x = 2^(a - b) y. Where no scaling is needed, all exponents are 0
 * and nothing is computed. */
#ifndef OVK_SOLVERS_OPS_SCALE_H
#define OVK_SOLVERS_OPS_SCALE_H

#include "solvers/state/state.h"

/* S->scale.A and .M <- 0, or the exponents for an A whose diagonal is far from 1; an A without a
 * diagonal costs a product. A shell is taken as it is. Overwrites a work vector. Collective; errors
 * are agreed. */
ovk_err ovk__scale_measure(ovk_solver *S);

/* After a solve that failed: measures by a product and an application, once for the same values, a
 * shell and a user's preconditioner. *changed <- whether their exponents are others; then S->x is
 * in the user's units, and a new solve may succeed. Collective; errors are agreed. */
ovk_err ovk__scale_retry(ovk_solver *S, bool *changed);

void ovk__scale_destroy(ovk_solver *S);

/* S->D <- the diagonal M^-1, scaled. A failure is kept for the next sum with a status. */
void ovk__scale_diagonal(ovk_solver *S);

/* The start of a solve: x <- the unknown of the scaled system, finite where x is. */
void ovk__scale_begin(ovk_solver *S);

/* Whether the squares of b, which is not 0, and of r = b - A x0 need no scaling. */
bool ovk__scale_fits(const ovk__square *b, const ovk__square *r);

/* Where the squares of b or r = b - A x0, which is in work[OVK__WORK_R], are out of range: scales
 * b, x and M^-1; x <- 0 if b is too small compared with r to be squared on the same scale. *changed
 * <- whether it did; then the squares have to be computed again. Collective; errors are agreed. */
ovk_err ovk__scale_fit(ovk_solver *S, const ovk__square *b, const ovk__square *r, bool *changed);

/* x <- the solution in the units of the user; x is that of the scaled system. At the end of each
 * solve, also of one that failed. */
void ovk__scale_solution(const ovk_solver *S, ovk_vec *x);

/* S->x <- itself, rounded to doubles in the units of the user; returns whether it is unchanged, on
 * this rank. */
bool ovk__scale_round(ovk_solver *S);

/* A norm of the test in the user's units. */
double ovk__scale_norm(const ovk_solver *S, double norm);

/* The tolerance of the test in the user's units. There it may be finite where that of the scaled
 * system, by which the solve decides, is Inf. */
double ovk__scale_tolerance(const ovk_solver *S);

/* The options' atol as a norm of the test. */
double ovk__scale_atol(const ovk_solver *S);

/* out <- 2^A A in, 2^M M^-1 in, for functions that take any operator. Failures are local. */
ovk_err ovk__scale_product(const void *solver, const ovk_vec *in, ovk_vec *out);
ovk_err ovk__scale_solve(const void *solver, const ovk_vec *in, ovk_vec *out);

/* v <- 2^exponent v */
void ovk__scale_by(int exponent, ovk_vec *v);

/* 2^exponent v: v itself, or in the scratch vector number k. */
const ovk_vec *ovk__scale_copy(const ovk_solver *S, int k, int exponent, const ovk_vec *v);

#endif
