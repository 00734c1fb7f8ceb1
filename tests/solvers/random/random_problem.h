/* SPDX-License-Identifier: BSD-2-Clause */
/* Random systems on ranks that differ: no, one, few or many rows, constant diagonals or not,
 * couplings with all, some or no other ranks. */
#ifndef OVK_TEST_RANDOM_PROBLEM_H
#define OVK_TEST_RANDOM_PROBLEM_H

#include "support/random.h"

#include <ovkrylov/ovkrylov.h>

/* The complete system is stored on every rank. */
typedef struct random_problem {
  int n;         /* number of rows, possibly 0 */
  int *first;    /* rank r has the rows first[r] to first[r + 1] - 1 */
  double *A, *b; /* A by rows */
  bool definite; /* A is symmetric positive definite, and fairly well conditioned */
  bool finite;   /* b is finite, and neither very small nor very large */
  bool singular; /* constant vectors are the null space of A, which is otherwise definite; b has no
                    part in it, up to rounding */
  int local, start; /* this rank's rows */
} random_problem;

random_problem random_make(uint64_t seed);
void random_clear(random_problem *S);

/* The same rows with nonsymmetric values, and entries of neighbors on one side only. */
void random_skew(random_problem *S, uint64_t seed);

/* Makes the matrix: entries in parts, in any order, some of them added by other ranks; some ranks
 * pass theirs as compressed rows. Returns the error of ovk_mat_assemble(). */
ovk_err random_assemble(ovk_ctx *ctx, const random_problem *S, uint64_t seed, const char *format,
                        ovk_mat **A);

/* y <- A x for this rank's rows; *size: the maximum row sum of absolute values; x is the complete
 * vector. */
void random_multiply(const random_problem *S, const double *x, double *y, double *size);

/* x <- the parts of all ranks. Collective. */
void random_gather(const random_problem *S, const double *part, double *x);

/* ||b - A x|| of the parts of all ranks, and *rounding, the part that rounding errors may account
 * for. Collective. */
double random_residual(const random_problem *S, const double *part, double *rounding);

#endif
