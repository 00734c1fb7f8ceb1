/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of BiCGStab; conventions as in updates.h. Where D.d is NULL, M is not diagonal, and
 * the vectors with an M^-1 are left alone. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_BCGS_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_BCGS_H

#include "precond/diagonal.h"

#include <ovkrylov/base.h>

/* r <- r - alpha v; z <- D r */
void ovk__bcgs_half(ovk_lidx n, double alpha, const double *v, ovk__diagonal D, double *r,
                    double *z);

/* The inner products of the second half: (t, s), (t, t), (s, s), (q, s), (q, t). */
enum { OVK__TS, OVK__TT, OVK__SS_HALF, OVK__QS, OVK__QT, OVK__BCGS_SUMS };

void ovk__bcgs_sums(ovk_lidx n, const double *s, const double *t, const double *q,
                    double sums[OVK__BCGS_SUMS]);

/* x <- x + alpha y + omega z; r <- r - omega t */
void ovk__bcgs_full(ovk_lidx n, double alpha, double omega, const double *y, const double *z,
                    const double *t, double *x, double *r);

/* p <- r + beta (p - omega v); y <- D p */
void ovk__bcgs_direction(ovk_lidx n, double beta, double omega, const double *r, const double *v,
                         ovk__diagonal D, double *p, double *y);

#endif
