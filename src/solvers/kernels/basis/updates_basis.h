/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of methods that keep a basis v_0, v_1, ...; conventions as in updates.h. Each
 * reads the basis once: a block of rows of all its vectors while the rows of the others are in the
 * cache. Inner products have the bits of ovk__dot(). */
#ifndef OVK_SOLVERS_KERNELS_BASIS_UPDATES_BASIS_H
#define OVK_SOLVERS_KERNELS_BASIS_UPDATES_BASIS_H

#include "core/base/lanes.h"

#include <ovkrylov/base.h>
#include <stdbool.h>
#include <stddef.h>

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

/* The arrays of v_0, v_1, ...: of doubles, or of floats, with which all computes in doubles. */
typedef struct ovk__basis {
  void *const *v;
  bool single;
  bool ahead; /* set by the sweeps themselves: prefetch */
} ovk__basis;

/* The doubles that the inner products of k vectors need as memory. */
static inline size_t ovk__basis_lanes(int k)
{
  return ((size_t)k + 1) * 2 * OVK__LANES;
}

/* All these for i < k; where z is NULL its inner products are not set. */
void ovk__basis_dots(ovk_lidx n, int k, ovk__basis V, const double *u, const double *z,
                     double *memory, double *dots);

/* y <- y + sum of c_i v_i for i < k */
void ovk__basis_add(ovk_lidx n, int k, ovk__basis V, const double *c, double *y);

/* The coefficients of an extension: s of k, t and c of k + 1 numbers. */
typedef struct ovk__basis_step {
  double alpha, a;
  const double *s, *t, *c;
} ovk__basis_step;

/* v_k <- (u - sum of s_i v_i for i < k) / alpha; next <- (z - sum of t_i v_i for i <= k) / alpha.
 * u may be v_k, and next may be u if it is not. */
void ovk__basis_extend(ovk_lidx n, int k, ovk__basis V, const ovk__basis_step *step,
                       const double *u, const double *z, double *next);

/* The same, of doubles; if q is not NULL also z <- (q - a z - sum of c_i v_i for i <= k) / alpha;
 * and dots as by ovk__basis_dots() of k + 1 vectors, next in place of u, and z, or NULL. */
void ovk__basis_extend_dots(ovk_lidx n, int k, void *const *v, const ovk__basis_step *step,
                            const double *u, double *z, const double *q, double *next,
                            double *memory, double *dots);

/* y <- a y */
void ovk__basis_scale(ovk_lidx n, double a, double *y);

#endif
