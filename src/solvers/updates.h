/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of the methods, fused where the data flow allows, each with its formula. They
 * work on this rank's n rows; results are this rank's parts of inner products. */
#ifndef OVK_SOLVERS_UPDATES_H
#define OVK_SOLVERS_UPDATES_H

#include <ovkrylov/poll.h>

/* (x, y) */
double ovk__dot(ovk_lidx n, const double *x, const double *y);

/* r <- b - r; *bb = (b, b); returns (r, r) */
double ovk__residual(ovk_lidx n, const double *b, double *r, double *bb);

/* x <- x + alpha p */
void ovk__axpy(ovk_lidx n, double alpha, const double *p, double *x, ovk_poll poll);

/* r <- r - alpha s; returns (r, r) */
double ovk__axpy_norm(ovk_lidx n, double alpha, const double *s, double *r);

/* x <- x + alpha p; r <- r - alpha s; returns (r, r) */
double ovk__update_x_r(ovk_lidx n, double alpha, const double *p, const double *s, double *x,
                       double *r);

/* z <- d r, row by row; returns (r, z) */
double ovk__scale_dot(ovk_lidx n, const double *d, const double *r, double *z);

/* p <- z + beta q; p may be q */
void ovk__direction(ovk_lidx n, const double *z, double beta, const double *q, double *p);

#endif
