/* SPDX-License-Identifier: BSD-2-Clause */
/* A 1-D Poisson problem whose iterates of CG are known in advance. */
#ifndef OVK_TOOL_LINE_H
#define OVK_TOOL_LINE_H

#include <ovkrylov/ovkrylov.h>

typedef struct line {
  ovk_ctx *ctx;
  ovk_mat *A;
  ovk_vec *b, *x;
} line;

/* -x'' = 1 with zero boundary values, by finite differences, with `points` points on each rank.
 * Collective. Free it with line_destroy(), also after a failure. */
ovk_err line_create(ovk_ctx *ctx, int points, line *out);
void line_destroy(line *l);

/* A solver that makes exactly `iterations` iterations, fewer than half of all points.
 * Collective. */
ovk_err line_solver(const line *l, const char *backend, int iterations, ovk_solver **out);

/* Makes the iterations from x = 0 and checks the iterate; *seconds on the slowest rank.
 * Collective. */
ovk_err line_iterate(line *l, ovk_solver *solver, int iterations, double *seconds);

#endif
