/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of methods that keep a basis v_0, v_1, ...; conventions as in updates.h. Each
 * reads the basis once: a block of rows of all its vectors while the rows of the others are in the
 * cache. Inner products have the bits of ovk__dot(). */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_BASIS_H
#define OVK_SOLVERS_KERNELS_UPDATES_BASIS_H

#include <ovkrylov/base.h>

/* Places of ovk__basis_dots(): (u, u), (u, z), and for each i (v_i, u) and (v_i, z). */
enum { OVK__BASIS_UU, OVK__BASIS_UZ, OVK__BASIS_VU };
static inline int ovk__basis_vu(int i)
{
  return OVK__BASIS_VU + 2 * i;
}
static inline int ovk__basis_vz(int i)
{
  return OVK__BASIS_VU + 2 * i + 1;
}

/* All these for i < k; where z is NULL its inner products are not set. */
void ovk__basis_dots(ovk_lidx n, int k, const double *const *v, const double *u, const double *z,
                     double *dots);

/* y <- y + sum of c_i v_i for i < k */
void ovk__basis_add(ovk_lidx n, int k, const double *const *v, const double *c, double *y);

/* The coefficients of ovk__basis_extend(), s of k and t and c of k + 1 numbers. */
typedef struct ovk__basis_step {
  double alpha, a;
  const double *s, *t, *c;
} ovk__basis_step;

/* v_k = u <- (u - sum of s_i v_i for i < k) / alpha; next <- (z - sum of t_i v_i for i <= k) /
 * alpha; and if q is not NULL z <- (q - a z - sum of c_i v_i for i <= k) / alpha */
void ovk__basis_extend(ovk_lidx n, int k, const double *const *v, const ovk__basis_step *step,
                       double *u, double *z, const double *q, double *next);

/* y <- a y */
void ovk__scale(ovk_lidx n, double a, double *y);

#endif
