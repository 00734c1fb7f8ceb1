/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods for blocks of columns, as ops/ops.h has them for vectors.
 * Coefficients and parts of sums have a number for each lane; those of idle lanes are 0. */
#ifndef OVK_SOLVERS_MANY_OPS_MANY_H
#define OVK_SOLVERS_MANY_OPS_MANY_H

#include "solvers/many/many.h"

/* A poll hook that progresses sum number k during other work. */
ovk_poll ovk__many_op_poll(ovk__many *B, int k);

/* s <- A p; ps = this rank's parts of (p, s) */
void ovk__many_op_mult(ovk__many *B, const double *p, double *s, double *ps);

/* The same without the inner products. */
void ovk__many_op_product(ovk__many *B, const double *p, double *s, ovk_poll poll);

/* m <- M^-1 w. No operation for a diagonal M, as of ovk__op_apply_other(). */
void ovk__many_op_apply_other(ovk__many *B, const double *w, double *m, ovk_poll poll);

/* z <- M^-1 r, also stored for a diagonal M */
void ovk__many_op_precond(ovk__many *B, const double *r, double *z);

/* The same; this rank's parts: rz = (r, z), zz = (z, z) */
void ovk__many_op_apply(ovk__many *B, const double *r, double *z, double *rz, double *zz);

/* z <- M^-1 v; the square of v's norm in the test, which is not the Euclidean one. This rank's
 * parts. */
void ovk__many_op_norm_of(ovk__many *B, const double *v, double *z, double *square);

/* square <- the square of r's norm in the test, one of (r, r), (r, z) and (z, z), M z = r */
void ovk__many_op_square(const ovk__many *B, const double *rr, const double *rz, const double *zz,
                         double *square);

/* r <- b - s for the b that is in r; bb and rr = this rank's squares of b and r */
void ovk__many_op_residual(ovk__many *B, const double *s, double *r, double *bb, double *rr);

/* r <- r - alpha s; rr = this rank's parts of (r, r) */
void ovk__many_op_axpy_norm(ovk__many *B, const double *alpha, const double *s, double *r,
                            double *rr);

/* r <- r - alpha s; z <- M^-1 r, where z may be s; this rank's parts: rz = (r, z), square = the
 * square of r's norm in the test */
void ovk__many_op_update_r(ovk__many *B, const double *alpha, const double *s, double *r, double *z,
                           double *rz, double *square);

/* x <- x + alpha p */
void ovk__many_op_axpy(ovk__many *B, const double *alpha, const double *p, double *x,
                       ovk_poll poll);

/* x <- x + alpha p; p <- z + beta p, where M z = r */
void ovk__many_op_update_x_p(ovk__many *B, const double *alpha, const double *r, const double *z,
                             const double *beta, double *p, double *x);

/* block <- 0 */
void ovk__many_op_zero(ovk__many *B, double *block);

/* to <- from in some lanes */
void ovk__many_op_take(const ovk__many *B, const bool which[OVK__WIDEST], const double *from,
                       double *to);

/* Begins sum number k with this rank's parts, and waits for its totals: one message for all
 * columns. If any rank has recorded a failure, the wait fails on all ranks. */
ovk_err ovk__many_op_begin(ovk__many *B, int k, ovk__lane_values *parts);
ovk_err ovk__many_op_wait(ovk__many *B, int k, ovk__lane_values *totals);

/* Both at once: values <- the totals of this rank's parts. */
ovk_err ovk__many_op_reduce(ovk__many *B, int k, ovk__lane_values *values);

#endif
