/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of the methods that overlap their sums; conventions as in updates.h. D is a
 * diagonal M^-1; D.d is NULL if there is none. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_OVERLAPPED_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_OVERLAPPED_H

#include "core/base/by_name.h"
#include "precond/diagonal.h"

#include <ovkrylov/base.h>

/* p <- u + beta p; s <- w + beta s; x <- x + alpha p; r <- r - alpha s; returns (r, r). If there is
 * a D, also u <- D r and *ru = (r, u), and returns (u, u) if `of_u`. */
double ovk__update_single_reduction(ovk_lidx n, double alpha, double beta, ovk__diagonal D,
                                    bool of_u, double *u, const double *w, double *p, double *s,
                                    double *x, double *r, double *ru);

/* r <- r - alpha s; z <- z - alpha q, or D r if there is a D; *rz = (r, z); returns (z, z) if
 * `of_z`, else (r, r) */
double ovk__groppcg_update_r_z(ovk_lidx n, double alpha, const double *s, const double *q,
                               ovk__diagonal D, bool of_z, double *r, double *z, double *rz);

/* p <- z + beta q; s <- Z + beta s; returns (p, s) */
double ovk__groppcg_update_p_s(ovk_lidx n, double beta, const double *z, const double *Z,
                               const double *q, double *p, double *s);

/* The inner products of the pipelined method: (r, u), (w, u), (r, r), and those for norms. */
enum {
  OVK__RU,
  OVK__WU,
  OVK__RR,
  OVK__XX,
  OVK__UU,
  OVK__WW,
  OVK__PP,
  OVK__SS,
  OVK__QQ,
  OVK__ZZ,
  OVK__PIPECG_SUMS
};

/* The vectors of the pipelined method: the work vectors in their order, and x. */
#define OVK__PIPECG_LETTERS(X) X(r) X(u) X(w) X(m) X(n) X(z) X(q) X(s) X(p) X(x)

typedef struct OVK_BY_NAME ovk__pipecg_arrays {
  OVK__PIPECG_LETTERS(OVK_ARRAY)
} ovk__pipecg_arrays;

/* The arrays from row i on. */
static inline ovk__pipecg_arrays ovk__pipecg_arrays_from(const ovk__pipecg_arrays *v, int64_t i)
{
#define FROM(letter) .letter = v->letter + i,
  return (ovk__pipecg_arrays){OVK__PIPECG_LETTERS(FROM)};
#undef FROM
}

/* z <- n + beta z; q <- m + beta q; s <- w + beta s; p <- u + beta p;
 * x <- x + alpha p; r <- r - alpha s; u <- u - alpha q; w <- w - alpha z; and the inner products.
 * If there is a D, u = D r and q = D s are not stored, and m <- D w.
 * sums NULL: without the inner products. */
void ovk__update_pipecg(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                        const ovk__pipecg_arrays *v, double *sums);

/* Its two versions, which give the same bits: for all processors, and for those with vectors of
 * eight, only where OVK_CLONES is defined. */
void ovk__update_pipecg_narrow(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                               const ovk__pipecg_arrays *v, double *sums);
void ovk__update_pipecg_wide(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                             const ovk__pipecg_arrays *v, double *sums);

/* The inner products only; and m <- D w, if there is a D. */
void ovk__dots_pipecg(ovk_lidx rows, ovk__diagonal D, const ovk__pipecg_arrays *v,
                      double sums[OVK__PIPECG_SUMS]);

#endif
