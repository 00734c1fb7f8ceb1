/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods that overlap their sums with work; conventions as in ops.h.
 */
#ifndef OVK_SOLVERS_OPS_OPS_OVERLAPPED_H
#define OVK_SOLVERS_OPS_OPS_OVERLAPPED_H

#include "solvers/kernels/updates/updates_overlapped.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops.h"
#include "solvers/ops/residual_gap.h"
#include "solvers/state/work.h"

/* m <- M^-1 w. No operation for a diagonal M: there m is not needed or was computed in a sweep. */
void ovk__op_apply_other(ovk_solver *S, const ovk_vec *w, ovk_vec *m, ovk_poll poll);

/* With exact=all: s <- A p, and marks of n inner products, also of s, in the same sweep. */
void ovk__op_product_marks(ovk_solver *S, const ovk_vec *p, ovk_vec *s, int n,
                           const ovk__pair *pairs, double *parts);

/* p <- u + beta p; s <- w + beta s; x <- x + alpha p; r <- r - alpha s; u <- M^-1 r; this rank's
 * parts: *ru = (r, u), returns the square of r's norm in the test, as ovk__op_norm() does */
double ovk__op_update_single_reduction(ovk_solver *S, double alpha, double beta, ovk_vec *u,
                                       const ovk_vec *w, ovk_vec *p, ovk_vec *s, ovk_vec *x,
                                       ovk_vec *r, double *ru);

/* r <- r - alpha s; z <- z - alpha q, where M q = s; q is not used for a diagonal M; this rank's
 * parts: *rz = (r, z), returns the square of r's norm in the test, as ovk__op_norm() does */
double ovk__op_update_r_z(ovk_solver *S, double alpha, const ovk_vec *s, const ovk_vec *q,
                          ovk_vec *r, ovk_vec *z, double *rz);

/* p <- z + beta p_prev; s <- Z + beta s; returns this rank's part of (p, s) */
double ovk__op_update_p_s(ovk_solver *S, double beta, const ovk_vec *z, const ovk_vec *Z,
                          const ovk_vec *p_prev, ovk_vec *p, ovk_vec *s);

/* The vectors of the pipelined method. */
typedef struct OVK_BY_NAME ovk__pipecg_vecs {
  OVK__PIPECG_LETTERS(OVK__VECTOR)
} ovk__pipecg_vecs;

/* Their arrays. */
ovk__pipecg_arrays ovk__pipecg_arrays_of(const ovk__pipecg_vecs *v);

/* u <- M^-1 r; w <- A u; z, q, s, p <- 0; and this rank's parts of the sums */
void ovk__op_start_pipecg(ovk_solver *S, const ovk__pipecg_vecs *v, double sums[OVK__PIPECG_SUMS]);

/* z <- n + beta z; q <- m + beta q; s <- w + beta s; p <- u + beta p; x <- x + alpha p;
 * r <- r - alpha s; u <- u - alpha q; w <- w - alpha z; and this rank's parts of the sums. For a
 * diagonal M u and q are not stored, and m <- M^-1 w. */
void ovk__op_update_pipecg(ovk_solver *S, double alpha, double beta, const ovk__pipecg_vecs *v,
                           double sums[OVK__PIPECG_SUMS]);

/* r <- b - A x (OVK__REPLACE_ALL only); u <- M^-1 r; w <- A u; s <- A p; q <- M^-1 s; z <- A q; and
 * this rank's parts of the sums, recomputed */
void ovk__op_replace_pipecg(ovk_solver *S, const ovk__pipecg_vecs *v, ovk__replacement replacement,
                            double sums[OVK__PIPECG_SUMS]);

/* Of the totals: the square of r in the norm of the test, and its index. */
double ovk__op_square(const ovk_solver *S, const double sums[OVK__PIPECG_SUMS]);
int ovk__op_square_at(const ovk_solver *S);

/* Starts the estimates of residual_gap.h from the totals of vectors that have just been computed.
 */
void ovk__op_start_residual_gap(const ovk_solver *S, const double sums[OVK__PIPECG_SUMS],
                                ovk__residual_gap *gap);

#endif
