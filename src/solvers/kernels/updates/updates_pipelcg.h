/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of the deep pipeline; conventions as in updates.h. D is a diagonal M^-1. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPELCG_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPELCG_H

#include "core/base/by_name.h"
#include "precond/diagonal.h"
#include "solvers/kernels/lanczos.h"

#include <ovkrylov/base.h>

/* The inner products of the deep pipeline: (z, M z), (z, y), (v, v), and one whose exact value is
 * known. */
enum { OVK__ZZ_PIPELCG, OVK__ZY_PIPELCG, OVK__VV_PIPELCG, OVK__CHECK_PIPELCG, OVK__PIPELCG_SUMS };

/* The arrays: `next` becomes v_e+1 from old[0] = v_e-1 and now[0] = v_e; for k > 0 the new level k
 * overwrites old[k]. */
typedef struct OVK_BY_NAME ovk__pipelcg_arrays {
  int depth;
  const double *now[OVK__MAX_DEPTH + 1];
  double *old[OVK__MAX_DEPTH + 1], *next;
  const double *w, *m, *z_now; /* A z; M^-1 w; z = M^-1 now[l] */
  double *z;                   /* M^-1 old[l]; for a diagonal M the array of z_now */
  const double *v;             /* for the update of x: r = zeta v */
  double *p, *y;
} ovk__pipelcg_arrays;

/* The coefficients. */
typedef struct ovk__pipelcg_coeffs {
  double gamma, delta, before, scale; /* gamma_e, delta_e, delta_e-1 */
  double shift[OVK__MAX_DEPTH];
  double zeta, beta, alpha; /* for the update of x; 0 for none */
} ovk__pipelcg_coeffs;

/* p <- zeta v + beta p; y <- y + alpha p */
void ovk__pipelcg_advance(ovk_lidx n, double zeta, const double *v, double beta, double alpha,
                          double *p, double *y);

/* (x, y) as a compensated sum; x may be y */
double ovk__pipelcg_dot(ovk_lidx n, const double *x, const double *y);

/* y <- a x + b y; for b = 0, y is not read */
void ovk__scale_add(ovk_lidx n, double a, const double *x, double b, double *y);

/* y <- a w + b x */
void ovk__combine(ovk_lidx n, double a, const double *w, double b, const double *x, double *y);

/* p <- zeta v + beta p; y <- y + alpha p; old[k] <- (scale now[k+1] + (shift[k] - gamma) now[k] -
 * before old[k]) / delta for k = 0 (into next), ..., l - 1; old[l] <- (w - gamma now[l] - before
 * old[l]) / delta; z <- (m - gamma z_now - before z) / delta; and the inner products */
void ovk__update_pipelcg(ovk_lidx n, const ovk__pipelcg_arrays *v, const ovk__pipelcg_coeffs *c,
                         double sums[OVK__PIPELCG_SUMS]);

/* The same with z <- D old[l]; m and z_now are not used. */
void ovk__update_pipelcg_diagonal(ovk_lidx n, ovk__diagonal D, const ovk__pipelcg_arrays *v,
                                  const ovk__pipelcg_coeffs *c, double sums[OVK__PIPELCG_SUMS]);

#endif
