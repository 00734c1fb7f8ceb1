/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of basis/updates_basis.h for blocks of w columns; conventions as in updates_many.h.
 * Number i of column c, a coefficient or a sum, is number 8 i + c of an array. */
#ifndef OVK_SOLVERS_KERNELS_MANY_BASIS_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_BASIS_MANY_H

#include <ovkrylov/base.h>
#include <stddef.h>

/* The doubles that the inner products of k vectors need as memory. */
static inline size_t ovk__many_basis_lanes(int k)
{
  return ((size_t)k + 1) * 16;
}

/* (u, u), (u, z), and for i < k (v_i, u), (v_i, z), as ovk__basis_dots(); z NULL: its sums are 0 */
void ovk__many_basis_dots(ovk_lidx n, int w, int k, double *const *v, const double *u,
                          const double *z, double *memory, double *dots);

/* v_k <- inverse (v_k - sum of s_i v_i for i < k); v_k+1 <- inverse (z - sum of t_i v_i for
 * i <= k) */
void ovk__many_basis_extend(ovk_lidx n, int w, int k, double *const *v, const double *s,
                            const double *t, const double *inverse, const double *z);

/* y <- sum of c_i v_i for i < k */
void ovk__many_basis_sum(ovk_lidx n, int w, int k, double *const *v, const double *c, double *y);

#endif
