/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the predict-and-recompute method; conventions as in updates.h. D is a diagonal
 * M^-1. The suffix t stands for the paper's tilde: vt = M^-1 v. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPEPRCG_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPEPRCG_H

#include "precond/diagonal.h"

#include <ovkrylov/base.h>

/* The inner products: nu = (rt, r), mu = (p, s), delta = (rt, s), gamma = (st, s), and (r, r). */
enum {
  OVK__PREDICT_NU,
  OVK__PREDICT_MU,
  OVK__PREDICT_DELTA,
  OVK__PREDICT_GAMMA,
  OVK__PREDICT_RR,
  OVK__PREDICT_SUMS
};

typedef struct ovk__pipeprcg_arrays {
  const double *w, *wt, *u, *ut;
  double *x, *r, *rt, *p, *s, *st;
} ovk__pipeprcg_arrays;

/* The inner products only. */
void ovk__sums_predict(ovk_lidx rows, const ovk__pipeprcg_arrays *v,
                       double sums[OVK__PREDICT_SUMS]);

/* x <- x + alpha p; r <- r - alpha s; rt <- rt - alpha st; p <- rt + beta p;
 * s <- (w - alpha u) + beta s; st <- (wt - alpha ut) + beta st; and the inner products */
void ovk__update_predict(ovk_lidx rows, double alpha, double beta, const ovk__pipeprcg_arrays *v,
                         double sums[OVK__PREDICT_SUMS]);

/* The same with rt <- D r and st <- D s; wt and ut are not used. */
void ovk__update_predict_diagonal(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                                  const ovk__pipeprcg_arrays *v, double sums[OVK__PREDICT_SUMS]);

#endif
