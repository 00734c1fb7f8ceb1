/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of the methods for blocks of w columns, w = 8, 4, 2 or 1, that have the w
 * numbers of a row next to each other. Each column has its own coefficients and sums: arrays of w
 * numbers. Columns do not mix. Otherwise as updates/updates.h; a block of one column gives the same
 * bits as the sweeps there. */
#ifndef OVK_SOLVERS_KERNELS_MANY_UPDATES_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_UPDATES_MANY_H

#include "precond/diagonal.h"

#include <ovkrylov/plugin/poll.h>
#include <stdbool.h>

/* xy = (x, y), yy = (y, y); x may be y */
void ovk__many_dots(ovk_lidx n, int w, const double *x, const double *y, double *xy, double *yy);

/* x <- x + alpha p */
void ovk__many_axpy(ovk_lidx n, int w, const double *alpha, const double *p, double *x,
                    ovk_poll poll);

/* bb = (r, r); r <- r - s; rr = (r, r) */
void ovk__many_residual(ovk_lidx n, int w, const double *s, double *r, double *bb, double *rr);

/* r <- r - alpha s; rr = (r, r) */
void ovk__many_axpy_norm(ovk_lidx n, int w, const double *alpha, const double *s, double *r,
                         double *rr);

/* r <- r - alpha s; rz = (r, D r); vv = (D r, D r) if `of_z`, else (r, r) */
void ovk__many_cg_update_r(ovk_lidx n, int w, const double *alpha, const double *s, ovk__diagonal D,
                           bool of_z, double *r, double *rz, double *vv);

/* x <- x + alpha p; p <- D r + beta p */
void ovk__many_cg_update_x_p(ovk_lidx n, int w, const double *alpha, ovk__diagonal D,
                             const double *r, const double *beta, double *p, double *x);

/* The same of 8 columns, for processors with vectors of eight. */
void ovk__many_dots_wide(ovk_lidx n, const double *x, const double *y, double *xy, double *yy);
void ovk__many_axpy_norm_wide(ovk_lidx n, const double *alpha, const double *s, double *r,
                              double *rr);
void ovk__many_cg_update_r_wide(ovk_lidx n, const double *alpha, const double *s, ovk__diagonal D,
                                bool of_z, double *r, double *rz, double *vv);
void ovk__many_cg_update_x_p_wide(ovk_lidx n, const double *alpha, ovk__diagonal D, const double *r,
                                  const double *beta, double *p, double *x);

/* z <- D r */
void ovk__many_apply(ovk_lidx n, int w, ovk__diagonal D, const double *r, double *z);

#endif
