/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the predict-and-recompute method; conventions as in updates.h. D is a diagonal
 * M^-1. The suffix t stands for the paper's tilde: vt = M^-1 v. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPEPRCG_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPEPRCG_H

#include "core/base/by_name.h"
#include "precond/diagonal.h"

#include <ovkrylov/base.h>

/* The inner products: nu = (rt, r), mu = (p, s), delta = (rt, s), gamma = (st, s), and (r, r). */
enum {
  OVK__PIPEPRCG_NU,
  OVK__PIPEPRCG_MU,
  OVK__PIPEPRCG_DELTA,
  OVK__PIPEPRCG_GAMMA,
  OVK__PIPEPRCG_RR,
  OVK__PIPEPRCG_SUMS
};

/* The vectors: the work vectors in their order, and x. */
#define OVK__PIPEPRCG_LETTERS(OUT, IN)                                                             \
  OUT(r) OUT(rt) IN(w) IN(wt) OUT(p) OUT(s) OUT(st) IN(u) IN(ut) OUT(x)

typedef struct OVK_BY_NAME ovk__pipeprcg_arrays {
  OVK__PIPEPRCG_LETTERS(OVK_ARRAY, OVK_ARRAY_IN)
} ovk__pipeprcg_arrays;

/* The inner products only. */
void ovk__dots_pipeprcg(ovk_lidx rows, const ovk__pipeprcg_arrays *v,
                        double sums[OVK__PIPEPRCG_SUMS]);

/* x <- x + alpha p; r <- r - alpha s; rt <- rt - alpha st; p <- rt + beta p;
 * s <- (w - alpha u) + beta s; st <- (wt - alpha ut) + beta st; and the inner products. If
 * there is a D (D.d is not NULL), rt <- D r and st <- D s; wt and ut are not used. */
void ovk__update_pipeprcg(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                          const ovk__pipeprcg_arrays *v, double sums[OVK__PIPEPRCG_SUMS]);

#endif
