/* SPDX-License-Identifier: BSD-2-Clause */
/* Random systems on unlike ranks: no, one, few or many rows, constant diagonals or not, couplings
 * with all, some or no other ranks. */
#ifndef OVK_TEST_UNLIKE_H
#define OVK_TEST_UNLIKE_H

#include "support/dice.h"

#include <ovkrylov/ovkrylov.h>

/* The complete system is stored on every rank. */
typedef struct unlike_system {
  int n;            /* number of rows, possibly 0 */
  int *first;       /* rank r has the rows first[r] to first[r + 1] - 1 */
  double *A, *b;    /* A by rows */
  bool definite;    /* A is symmetric positive definite, and fairly well conditioned */
  bool finite;      /* b is finite, and neither very small nor very large */
  bool singular;    /* constant vectors are the null space of A, which else is definite; b has no
                       part in it, but for rounding */
  int local, start; /* this rank's rows */
} unlike_system;

unlike_system unlike_make(uint64_t seed);
void unlike_clear(unlike_system *S);

/* The same rows with nonsymmetric values, and entries of neighbours on one side only. */
void unlike_skew(unlike_system *S, uint64_t seed);

/* Makes the matrix: entries in parts, in any order, some of them added by other ranks; some ranks
 * pass theirs as compressed rows. Returns what ovk_mat_assemble() returns. */
ovk_err unlike_assemble(ovk_ctx *ctx, const unlike_system *S, uint64_t seed, const char *format,
                        ovk_mat **A);

/* y <- A x for this rank's rows; *size: the maximum row sum of absolute values; x is the complete
 * vector. */
void unlike_multiply(const unlike_system *S, const double *x, double *y, double *size);

/* x <- the parts of all ranks. Collective. */
void unlike_gather(const unlike_system *S, const double *part, double *x);

/* ||b - A x|| of the parts of all ranks, and *rounding, the part that rounding errors may account
 * for. Collective. */
double unlike_residual(const unlike_system *S, const double *part, double *rounding);

#endif
