/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of polynomial iterations in D^-1 A, each in one pass over A. */
#ifndef OVK_PRECOND_POLYNOMIAL_H
#define OVK_PRECOND_POLYNOMIAL_H

#include "matrix/many.h"

/* z <- alpha D^-1 r: the first step, from zero. Vectors are blocks of `width` columns of n rows. */
void ovk__polynomial_start(ovk_lidx n, int width, double alpha, const double *inverse,
                           const double *r, double *z, ovk_poll poll);

/* Where the correction of the step before is. */
typedef enum ovk__last_correction {
  OVK__CORRECTION_NONE, /* there was no step: it counts as 0 */
  OVK__CORRECTION_IS_Z, /* the step before started from zero */
  OVK__CORRECTION_IN_P
} ovk__last_correction;

/* A step from z to its successor. */
typedef struct ovk__polynomial_step {
  int width; /* columns of the vectors */
  double beta, alpha;
  const double *inverse, *r, *z; /* D^-1, the right-hand side, the iterate */
  ovk__last_correction last;     /* c, */
  double *p;                     /* and the place of this step's correction */
  bool ends;                     /* no step follows, so p is not written */
} ovk__polynomial_step;

/* p <- beta c + alpha D^-1 (r - A z); next <- z + p. Collective; failures are this rank's own. */
ovk_err ovk__polynomial_advance(const ovk_mat *A, ovk__polynomial_step *step, double *next,
                                ovk_poll poll);

/* out <- r - A z. Collective; failures are this rank's own. */
ovk_err ovk__polynomial_residual(const ovk_mat *A, int width, const double *r, const double *z,
                                 double *out, ovk_poll poll);

#endif
