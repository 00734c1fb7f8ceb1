/* SPDX-License-Identifier: BSD-2-Clause */
/* A few steps of conjugate gradients with a candidate, to estimate its number of iterations. */
#ifndef OVK_PRECOND_AUTO_TRIAL_H
#define OVK_PRECOND_AUTO_TRIAL_H

#include "precond/auto/candidate.h"

/* The vectors that a trial works with, and most steps. */
enum { OVK__AUTO_VECTORS = 4, OVK__AUTO_STEPS = 64 };

typedef struct ovk__auto_trial {
  bool definite;                 /* no step shows that A or M is not positive definite */
  double lambda_min, lambda_max; /* the extreme Ritz values of M^-1 A */
  double quotient;               /* the Rayleigh quotient of the first vector, for jacobi */
  bool constant;                 /* the constant vector is nearly an eigenvector */
  bool unknown;                  /* and the other small eigenvalues are unknown */
  double rate;                   /* digits of the residual a step, in the second half of them */
  bool settled;                  /* the second half has so many digits that the rate will last */
} ovk__auto_trial;

/* From smooth vectors, whose Ritz values have the smallest eigenvalues of elliptic problems after
 * few steps: from the constant vector, and if that is nearly an eigenvector, as with natural
 * boundaries, from half a wave along the rows. M must be jacobi. Collective; errors are agreed. */
ovk_err ovk__auto_trial_smooth(const ovk_mat *A, const ovk__auto_candidate *M, int steps,
                               ovk__auto_trial *out);

/* From a right-hand side of random numbers that depend on the row only, without their mean if
 * `zero_mean`: then the steps do not find an eigenvalue whose vector is constant. It ends after
 * `most` steps, or before, from `least` on, once the rate is settled. Collective; errors are
 * agreed. */
ovk_err ovk__auto_trial_random(const ovk_mat *A, const ovk__auto_candidate *M, int least, int most,
                               bool zero_mean, ovk__auto_trial *out);

#endif
