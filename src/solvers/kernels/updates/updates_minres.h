/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of MINRES; conventions as in updates.h. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_MINRES_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_MINRES_H

#include "core/base/by_name.h"
#include "precond/diagonal.h"

#include <ovkrylov/base.h>

/* The inner products: (v, z), (e, e), (e, d), (d, d); (u, z) comes with the product u = A z. */
enum { OVK__VZ, OVK__UZ, OVK__EE, OVK__ED, OVK__DD, OVK__MINRES_SUMS };

/* The vectors, the first work vectors in their order: Lanczos vectors v and v_old, z = M^-1 v,
 * u = A z, directions p and p_old. e is the residual in the norm of the test, r or M^-1 r; its next
 * direction d is v or z. */
#define OVK__MINRES_LETTERS(OUT, IN) IN(v) OUT(v_old) OUT(z) IN(u) IN(p) OUT(p_old) OUT(e)

typedef struct OVK_BY_NAME ovk__minres_arrays {
  OVK__MINRES_LETTERS(OVK_ARRAY, OVK_ARRAY_IN)
  double *x;
  bool d_is_z;
} ovk__minres_arrays;

/* The coefficients of one step. */
typedef struct ovk__minres_coeffs {
  double xp;         /* x <- x + xp p */
  double ee, ed;     /* e <- ee e + ed d */
  double pz, pp, po; /* p_old <- pz z + pp p + po p_old */
  double vu, vv, vo; /* v_old <- vu u + vv v + vo v_old */
} ovk__minres_coeffs;

/* The four updates, in this order. If there is a D, also z <- D v_old, and the inner products of
 * the v_old, z and e so made, unless sums is NULL. */
void ovk__update_minres(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                        const ovk__minres_arrays *a, double *sums);

/* The arrays of the pipeline, where z and u follow the recurrence of v, with m = M^-1 u and n = A
 * m. For a diagonal M^-1 = D neither z nor z_old is stored, and m is made by the sweep. */
typedef struct ovk__minres_pipeline {
  ovk__minres_arrays a;
  const double *n;
  double *m, *z_old, *u_old;
} ovk__minres_pipeline;

/* The four updates; z_old <- vu m + vv z + vo z_old; u_old <- vu n + vv u + vo u_old; m <- D u_old;
 * and all inner products of the v_old, z_old, u_old and e so made. */
void ovk__update_pipelined_minres(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                                  const ovk__minres_pipeline *b, double sums[OVK__MINRES_SUMS]);

/* The inner products of v, z and e. */
void ovk__dots_minres(ovk_lidx n, const double *v, const double *z, const double *e, bool d_is_z,
                      double sums[OVK__MINRES_SUMS]);

#endif
