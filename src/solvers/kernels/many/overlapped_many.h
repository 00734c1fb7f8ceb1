/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of updates/updates_overlapped.h for blocks of w columns; conventions as in
 * updates_many.h. Where D.d is NULL, M is not diagonal. */
#ifndef OVK_SOLVERS_KERNELS_MANY_OVERLAPPED_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_OVERLAPPED_MANY_H

#include "solvers/kernels/updates/updates_overlapped.h"

#include <stdbool.h>

/* p <- u + beta p; s <- v + beta s; x <- x + alpha p; r <- r - alpha s; rr = (r, r). For a diagonal
 * M also u <- D r; ru = (r, u); rr = (u, u) if `of_u` */
void ovk__many_update_single_reduction(ovk_lidx n, int w, const double *alpha, const double *beta,
                                       ovk__diagonal D, bool of_u, double *u, const double *v,
                                       double *p, double *s, double *x, double *r, double *ru,
                                       double *rr);

/* r <- r - alpha s; z <- z - alpha q, or for a diagonal M z <- D r; rz = (r, z); vv = (z, z) if
 * `of_z`, else (r, r) */
void ovk__many_update_r_z(ovk_lidx n, int w, const double *alpha, const double *s, const double *q,
                          ovk__diagonal D, bool of_z, double *r, double *z, double *rz, double *vv);

/* p <- z + beta q; s <- Z + beta s; ps = (p, s) */
void ovk__many_update_p_s(ovk_lidx n, int w, const double *beta, const double *z, const double *Z,
                          const double *q, double *p, double *s, double *ps);

/* As ovk__update_pipecg(): value k of column c is sums[8 k + c]. */
void ovk__many_update_pipecg(ovk_lidx n, int w, const double *alpha, const double *beta,
                             ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums);

/* Its two versions, which give the same bits: for all processors, and for those with vectors of
 * eight; the latter only where OVK_CLONES is defined. */
void ovk__many_update_pipecg_narrow(ovk_lidx n, int w, const double *alpha, const double *beta,
                                    ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums);
void ovk__many_update_pipecg_wide(ovk_lidx n, int w, const double *alpha, const double *beta,
                                  ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums);

/* As ovk__dots_pipecg(). */
void ovk__many_dots_pipecg(ovk_lidx n, int w, ovk__diagonal D, const ovk__pipecg_arrays *v,
                           double *sums);

#endif
