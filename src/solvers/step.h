/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations that methods are written in: each does its work, books its time, and keeps a
 * failure of this rank for the next sum with a rider, which makes it known to all ranks at no cost.
 */
#ifndef OVK_SOLVERS_STEP_H
#define OVK_SOLVERS_STEP_H

#include "solvers/solver_impl.h"

/* A hook that moves sum number k on while something else is done. */
ovk_poll ovk__step_poll(ovk_solver *S, int k);

/* s <- A p; returns this rank's part of (p, s) */
double ovk__step_mult(ovk_solver *S, const ovk_vec *p, ovk_vec *s);

/* r <- b - A x; *bb = (b, b); returns (r, r), both this rank's parts */
double ovk__step_residual(ovk_solver *S, const ovk_vec *x, ovk_vec *r, double *bb);

/* z <- C^-1 r; returns this rank's part of (r, z) */
double ovk__step_apply_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *z);

/* t <- L^-1 r */
void ovk__step_apply_left(ovk_solver *S, const ovk_vec *r, ovk_vec *t, ovk_poll poll);

/* w <- L^-T t */
void ovk__step_apply_right(ovk_solver *S, const ovk_vec *t, ovk_vec *w, ovk_poll poll);

/* This rank's part of (x, y) */
double ovk__step_dot(ovk_solver *S, const ovk_vec *x, const ovk_vec *y);

/* x <- x + alpha p */
void ovk__step_axpy(ovk_solver *S, double alpha, const ovk_vec *p, ovk_vec *x, ovk_poll poll);

/* r <- r - alpha s; returns this rank's part of (r, r) */
double ovk__step_axpy_norm(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r);

/* x <- x + alpha p; r <- r - alpha s; returns this rank's part of (r, r) */
double ovk__step_update_x_r(ovk_solver *S, double alpha, const ovk_vec *p, const ovk_vec *s,
                            ovk_vec *x, ovk_vec *r);

/* p <- z + beta q; p may be q */
void ovk__step_direction(ovk_solver *S, const ovk_vec *z, double beta, const ovk_vec *q,
                         ovk_vec *p);

/* Begins sum number k of one value with this rank's part. */
ovk_err ovk__step_begin(ovk_solver *S, int k, double part);

/* Waits for it. Fails on all ranks if any rank has a failure to tell. */
ovk_err ovk__step_wait(ovk_solver *S, int k, double *total);

/* Both at once. */
ovk_err ovk__step_sum(ovk_solver *S, int k, double part, double *total);

/* The two sums that every solve starts and ends with; both parts are replaced by their totals. */
ovk_err ovk__step_start_sum(ovk_solver *S, double *bb, double *rr);

#endif
