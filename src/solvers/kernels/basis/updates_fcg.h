/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of the flexible methods, which keep their last directions p_i, with s_i = A p_i
 * and, pipelined, q_i and z_i = A q_i; conventions as in updates.h. */
#ifndef OVK_SOLVERS_KERNELS_BASIS_UPDATES_FCG_H
#define OVK_SOLVERS_KERNELS_BASIS_UPDATES_FCG_H

#include "solvers/kernels/updates/updates_overlapped.h"

/* The arrays of k kept directions, and their coefficients. None of the arrays is p, s, q or z of a
 * sweep. */
typedef struct ovk__kept {
  int k;
  void *const *p, *const *s, *const *q, *const *z;
  const double *c;
} ovk__kept;

/* p <- z - sum of c_i p_i; s <- w - sum of c_i s_i; x <- x + alpha p; r <- r - alpha s;
 * returns (r, r) */
double ovk__update_fcg(ovk_lidx n, const ovk__kept *kept, double alpha, const double *z,
                       const double *w, double *p, double *s, double *x, double *r);

/* Inner products (u, s_i) of a sweep, for i < k: two numbers each after the first two of `dots`,
 * as by ovk__basis_dots(), with its memory. */
typedef struct ovk__fcg_dots {
  int k;
  void *const *s;
  double *memory, *dots;
} ovk__fcg_dots;

/* z <- n - sum of c_i z_i; q <- m - sum of c_i q_i; s <- w - sum of c_i s_i;
 * p <- u - sum of c_i p_i; x <- x + alpha p; r <- r - alpha s; u <- u - alpha q; w <- w - alpha z;
 * d <- w - theta r; the inner products of the pipelined method, and those of `next`, whose s_i may
 * include s */
void ovk__update_pipefcg(ovk_lidx rows, const ovk__kept *kept, double alpha, double theta,
                         const ovk__pipecg_arrays *v, double *d, double sums[OVK__PIPECG_SUMS],
                         const ovk__fcg_dots *next);

#endif
