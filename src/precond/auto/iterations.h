/* SPDX-License-Identifier: BSD-2-Clause */
/* A model of the number of iterations of conjugate gradients, from features of the matrix and
 * extreme eigenvalues of D^-1 A, D being the matrix of jacobi. */
#ifndef OVK_PRECOND_AUTO_ITERATIONS_H
#define OVK_PRECOND_AUTO_ITERATIONS_H

#include "precond/auto/features.h"

/* Those with jacobi, if few steps from a smooth vector find these Ritz values; at most so many if
 * the vector is nearly an eigenvector, which the steps do not improve. */
double ovk__auto_jacobi_iterations(const ovk__auto_features *A, double lambda_min,
                                   double lambda_max);
double ovk__auto_jacobi_bound(double lambda_min, double lambda_max);

/* At least so many, if `steps` steps from the constant vector find these Ritz values, and it has
 * this Rayleigh quotient but is not nearly an eigenvector: then the quotient is that of the
 * boundary, relative to the volume, so that its inverse is the extent of the domain. */
double ovk__auto_extent_iterations(const ovk__auto_features *A, double quotient, int steps,
                                   double lambda_min, double lambda_max);

/* The factor by which incomplete factors need fewer iterations than jacobi. */
double ovk__auto_gain(const ovk__auto_features *A);

/* The most iterations with ic, for coefficients that jump: each stiff part between soft ones adds a
 * small eigenvalue, so they grow with the number of rows. */
double ovk__auto_ic_bound(const ovk__auto_features *A);

#endif
