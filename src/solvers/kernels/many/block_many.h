/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of block methods, which mix the columns of blocks of w columns. A matrix of w
 * rows and columns, of coefficients or sums, has row i from number 8 i on. Otherwise conventions as
 * in updates_many.h. */
#ifndef OVK_SOLVERS_KERNELS_MANY_BLOCK_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_BLOCK_MANY_H

#include "precond/diagonal.h"

#include <ovkrylov/base.h>
#include <stdbool.h>

/* xy <- x^T y, which is symmetric up to rounding */
void ovk__block_gram(ovk_lidx n, int w, const double *x, const double *y, double *xy);

/* x <- x C */
void ovk__block_scale(ovk_lidx n, int w, const double *C, double *x);

/* r <- r - s C; vv = r^T r. For a diagonal M also rz = r^T D r, and vv = (D r)^T D r if `of_z` */
void ovk__block_update_r(ovk_lidx n, int w, const double *C, const double *s, ovk__diagonal D,
                         bool of_z, double *r, double *rz, double *vv);

/* x <- x + p E; p <- D r + p F */
void ovk__block_step(ovk_lidx n, int w, const double *E, const double *F, ovk__diagonal D,
                     const double *r, double *p, double *x);

#endif
