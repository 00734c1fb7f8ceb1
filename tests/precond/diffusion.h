/* SPDX-License-Identifier: BSD-2-Clause */
/* A scalar diffusion on n x n x n points with Dirichlet boundaries and coefficients by edge. */
#ifndef OVK_TEST_DIFFUSION_H
#define OVK_TEST_DIFFUSION_H

#include <ovkrylov/matrix.h>

/* The coefficient of the edge from a point on in this direction. */
typedef double coefficient_fn(int direction, const int at[3]);

double constant(int direction, const int at[3]);

/* 100 times as strong in the first direction. */
double stretched(int direction, const int at[3]);

/* 1 or 1e6 for each point, at random; the harmonic mean for an edge. */
double jumping(int direction, const int at[3]);

/* Gives A its values. Collective. */
void fill_diffusion(ovk_mat *A, int n, coefficient_fn *coefficient);

/* Its rows are distributed evenly over the ranks of the context. Collective. */
ovk_mat *new_diffusion(ovk_ctx *ctx, int n, coefficient_fn *coefficient);

#endif
