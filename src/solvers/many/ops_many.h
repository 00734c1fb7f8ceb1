/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods for blocks of columns, as ops/ops.h has them for vectors.
 * Coefficients and sums are arrays of B->width numbers, one of each column. Idle lanes are 0. */
#ifndef OVK_SOLVERS_MANY_OPS_MANY_H
#define OVK_SOLVERS_MANY_OPS_MANY_H

#include "solvers/many/many.h"

/* s <- A p; ps = this rank's parts of (p, s) */
void ovk__many_op_mult(ovk__many *B, const double *p, double *s, double *ps);

/* z <- M^-1 r, also stored for a diagonal M; this rank's parts: rz = (r, z), zz = (z, z) */
void ovk__many_op_apply(ovk__many *B, const double *r, double *z, double *rz, double *zz);

/* z <- M^-1 v; the square of v's norm in the test, which is not the Euclidean one. This rank's
 * parts. */
void ovk__many_op_norm_of(ovk__many *B, const double *v, double *z, double *square);

/* r <- b - s for the b that is in r; bb and rr = this rank's squares of b and r */
void ovk__many_op_residual(ovk__many *B, const double *s, double *r, double *bb, double *rr);

/* r <- r - alpha s; z <- M^-1 r, where z may be s; this rank's parts: rz = (r, z), square = the
 * square of r's norm in the test */
void ovk__many_op_update_r(ovk__many *B, const double *alpha, const double *s, double *r, double *z,
                           double *rz, double *square);

/* x <- x + alpha p; p <- z + beta p, where M z = r */
void ovk__many_op_update_x_p(ovk__many *B, const double *alpha, const double *r, const double *z,
                             const double *beta, double *p, double *x);

/* values <- their totals, value v of lane c in values[v width + c], by one blocking reduction. If
 * any rank has recorded a failure, fails on all ranks. */
ovk_err ovk__many_op_reduce(ovk__many *B, ovk__dots *sum, double *values);

#endif
