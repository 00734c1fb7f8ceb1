/* SPDX-License-Identifier: BSD-2-Clause */
/* The 7-point Laplace operator on a grid of points, as a matrix-free operator. */
#ifndef OVK_TOOL_LAPLACE_H
#define OVK_TOOL_LAPLACE_H

#include "bench/poisson/halo.h"

typedef struct laplace {
  box box;
  halo halo;
  int polls;     /* of the exchange in a product */
  double *zeros; /* a line of points */
} laplace;

/* Sets up the operator and *A, which uses it. `spec`: see halo_create(). Collective. Free it with
 * laplace_destroy() after *A, also after a failure. */
ovk_err laplace_create(ovk_ctx *ctx, const int points[3], const char *spec, int polls, laplace *out,
                       ovk_mat **A);
void laplace_destroy(laplace *l);

/* b <- the contribution of u = 1 on the boundary, without sources; so the solution is 1
 * everywhere. */
void laplace_rhs(const laplace *l, double *b);

#endif
