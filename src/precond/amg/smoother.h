/* SPDX-License-Identifier: BSD-2-Clause */
/* The smoother: Chebyshev polynomials of the fourth kind in D^-1 A, which need an upper bound of
 * the spectrum only. Source: Lottes, "Optimal polynomial smoothers for multigrid V-cycles" (2023),
 * algorithm 2.1, without weights. */
#ifndef OVK_PRECOND_AMG_SMOOTHER_H
#define OVK_PRECOND_AMG_SMOOTHER_H

#include "matrix/mat_impl.h"

typedef struct ovk__amg_smoother {
  int width;        /* columns of the vectors, side by side */
  const ovk_mat *A; /* may be replaced by a copy of other precision */
  int degree;
  double largest;  /* an estimate of the largest eigenvalue of D^-1 A, */
  double lambda;   /* and an upper bound of it */
  double *inverse; /* D^-1 */
  double *d, *t;   /* the correction; every other iterate, or the residual */
} ovk__amg_smoother;

/* S is A, or its symmetric part. Needs a positive diagonal: OVK_ERR_INDEFINITE names a row of
 * `level` that has none. lambda is the same on any number of ranks. *out is to be freed also after
 * a failure. Collective; errors are agreed. */
ovk_err ovk__amg_smoother_create(const ovk_mat *A, const ovk_mat *S, int level, int degree,
                                 ovk__amg_smoother *out);
void ovk__amg_smoother_free(ovk__amg_smoother *S);

/* From x = 0: x <- the smoothed x, S->t <- b - A x. Collective; failures are this rank's own. */
ovk_err ovk__amg_smooth_from_zero(const ovk__amg_smoother *S, const double *b, double *x,
                                  ovk_poll poll);

/* x <- the smoothed x. */
ovk_err ovk__amg_smooth(const ovk__amg_smoother *S, const double *b, double *x, ovk_poll poll);

int64_t ovk__amg_smoother_bytes(const ovk__amg_smoother *S);

#endif
