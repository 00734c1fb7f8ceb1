/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods that overlap their sums, for blocks of columns, as
 * ops/ops_overlapped.h has them for vectors; conventions as in ops_many.h. */
#ifndef OVK_SOLVERS_MANY_OPS_MANY_OVERLAPPED_H
#define OVK_SOLVERS_MANY_OPS_MANY_OVERLAPPED_H

#include "solvers/many/ops_many.h"
#include "solvers/ops/residual_gap.h"

/* p <- u + beta p; s <- w + beta s; x <- x + alpha p; r <- r - alpha s; u <- M^-1 r; this rank's
 * parts: ru = (r, u), square = the square of r's norm in the test */
void ovk__many_op_update_single_reduction(ovk__many *B, const double *alpha, const double *beta,
                                          double *u, const double *w, double *p, double *s,
                                          double *r, double *ru, double *square);

/* r <- r - alpha s; z <- z - alpha q, where M q = s; q is not used for a diagonal M; this rank's
 * parts: rz = (r, z), square as above */
void ovk__many_op_update_r_z(ovk__many *B, const double *alpha, const double *s, const double *q,
                             double *r, double *z, double *rz, double *square);

/* p <- z + beta p_prev; s <- Z + beta s; ps = this rank's parts of (p, s) */
void ovk__many_op_update_p_s(ovk__many *B, const double *beta, const double *z, const double *Z,
                             const double *p_prev, double *p, double *s, double *ps);

/* As ovk__op_start_pipecg() and ovk__op_update_pipecg(). v->n is scratch at the end. With exact
 * sums the inner products are in the order of single vectors. */
void ovk__many_op_start_pipecg(ovk__many *B, const ovk__pipecg_arrays *v,
                               ovk__lane_values sums[OVK__PIPECG_SUMS]);
void ovk__many_op_update_pipecg(ovk__many *B, const double *alpha, const double *beta,
                                const ovk__pipecg_arrays *v,
                                ovk__lane_values sums[OVK__PIPECG_SUMS]);

/* As ovk__op_replace_pipecg(), with a replacement for each lane. */
void ovk__many_op_replace_pipecg(ovk__many *B, const ovk__replacement which[OVK__WIDEST],
                                 const ovk__pipecg_arrays *v,
                                 ovk__lane_values sums[OVK__PIPECG_SUMS]);

#endif
