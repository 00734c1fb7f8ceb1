/* SPDX-License-Identifier: BSD-2-Clause */
/* A model of the time of setup and solve with each candidate. It has no measured times of this run,
 * so that all runs choose equally. */
#ifndef OVK_PRECOND_AUTO_MODEL_H
#define OVK_PRECOND_AUTO_MODEL_H

#include "precond/auto/candidate.h"
#include "precond/auto/features.h"

/* Seconds on the rank with the most rows. */
typedef struct ovk__auto_cost {
  double setup, iteration;
} ovk__auto_cost;

ovk__auto_cost ovk__auto_cost_of(const ovk__auto_features *A, ovk__auto_kind kind);

/* The factor by which incomplete factors need fewer iterations than jacobi. */
double ovk__auto_gain(const ovk__auto_features *A);

/* The same for a nonsymmetric A: more, the larger the skewness is, as the factors are nearly exact
 * along the flow. */
double ovk__auto_general_gain(const ovk__auto_features *A);

/* The iterations of bcgs for a nonsymmetric A, for whose symmetric part those of cg are given. */
double ovk__auto_general_iterations(double iterations);

/* The iterations with jacobi, if few steps from a smooth vector find these Ritz values; at most so
 * many if the vector is nearly an eigenvector, which the steps do not improve. */
double ovk__auto_jacobi_iterations(const ovk__auto_features *A, double lambda_min,
                                   double lambda_max);
double ovk__auto_jacobi_bound(double lambda_min, double lambda_max);

/* The most iterations with ic, for coefficients that jump: each stiff part between soft ones adds a
 * small eigenvalue, so they grow with the number of rows. */
double ovk__auto_ic_bound(const ovk__auto_features *A);

#endif
