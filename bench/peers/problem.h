/* SPDX-License-Identifier: BSD-2-Clause */
/* The system that all drivers solve: the rows of the matrix and a right-hand side. */
#ifndef OVK_BENCH_PROBLEM_H
#define OVK_BENCH_PROBLEM_H

#include "options.h"

typedef struct problem {
  char text[256]; /* as `ovk solve` names it */
  block rows;
  double *b;         /* right-hand side, this rank's rows */
  double *x;         /* the random vector that products are made with */
  int64_t nnz;       /* of all ranks */
  uint64_t checksum; /* of the entries of all ranks */
  double seconds;    /* to make all this, the maximum over the ranks */
} problem;

/* Collective. Free it with problem_free(), also after a failure. */
ovk_err problem_create(ovk_ctx *ctx, const options *o, problem *out);
void problem_free(problem *p);

/* Gives the rows the values of a step, from 1 on, after those of the step before: coefficients of
 * edges change slowly and smoothly along the rows, the sums of rows stay. */
void problem_step(problem *p, int step);

#endif
