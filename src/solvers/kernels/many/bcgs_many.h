/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of updates/updates_bcgs.h for blocks of w columns; conventions as in updates_many.h.
 */
#ifndef OVK_SOLVERS_KERNELS_MANY_BCGS_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_BCGS_MANY_H

#include "solvers/kernels/updates/updates_bcgs.h"

/* r <- r - alpha v; z <- D r */
void ovk__many_bcgs_half(ovk_lidx n, int w, const double *alpha, const double *v, ovk__diagonal D,
                         double *r, double *z);

/* As ovk__bcgs_sums(): value k of column c is sums[8 k + c]. */
void ovk__many_bcgs_sums(ovk_lidx n, int w, const double *s, const double *t, const double *q,
                         double *sums);

/* x <- x + alpha y + omega z; r <- r - omega t */
void ovk__many_bcgs_full(ovk_lidx n, int w, const double *alpha, const double *omega,
                         const double *y, const double *z, const double *t, double *x, double *r);

/* p <- r + beta (p - omega v); y <- D p */
void ovk__many_bcgs_direction(ovk_lidx n, int w, const double *beta, const double *omega,
                              const double *r, const double *v, ovk__diagonal D, double *p,
                              double *y);

#endif
