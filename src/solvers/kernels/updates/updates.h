/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of the methods, fused where data dependences allow, each with its formula. They
 * work on this rank's n rows; results are this rank's parts of inner products. Arrays of one call
 * do not overlap. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_H

#include "precond/diagonal.h"

#include <ovkrylov/plugin/poll.h>

/* (x, y); x may be y */
double ovk__dot(ovk_lidx n, const double *x, const double *y);

/* (r, D r); bitwise independent of polling */
double ovk__scaled_dot(ovk_lidx n, ovk__diagonal D, const double *r, ovk_poll poll);

/* (D r, D r) */
double ovk__scaled_norm(ovk_lidx n, ovk__diagonal D, const double *r);

/* r <- b - r; *bb = (b, b); returns (r, r) */
double ovk__residual(ovk_lidx n, const double *b, double *r, double *bb);

/* x <- x + alpha p */
void ovk__axpy(ovk_lidx n, double alpha, const double *p, double *x, ovk_poll poll);

/* u <- t + beta u */
void ovk__aypx(ovk_lidx n, double beta, const double *t, double *u);

/* r <- r - alpha s; returns (r, r) */
double ovk__axpy_norm(ovk_lidx n, double alpha, const double *s, double *r);

/* r <- r - alpha s; *rz = (r, D r); returns (D r, D r) if `of_z`, else (r, r) */
double ovk__cg_update_r(ovk_lidx n, double alpha, const double *s, ovk__diagonal D, bool of_z,
                        double *r, double *rz);

/* x <- x + alpha p; p <- D r + beta p */
void ovk__cg_update_x_p(ovk_lidx n, double alpha, ovk__diagonal D, const double *r, double beta,
                        double *p, double *x);

/* p <- D r + beta q */
void ovk__cg_direction(ovk_lidx n, ovk__diagonal D, const double *r, double beta, const double *q,
                       double *p);

#endif
