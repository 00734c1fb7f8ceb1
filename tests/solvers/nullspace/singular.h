/* SPDX-License-Identifier: BSD-2-Clause */
/* Singular systems whose solution of least norm is known. All functions are collective. */
#ifndef TEST_SOLVERS_SINGULAR_H
#define TEST_SOLVERS_SINGULAR_H

#include <ovkrylov/ovkrylov.h>

/* A wanted = b, and x for the solution. */
typedef struct singular {
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x, *wanted;
} singular;

/* b = A wanted for a random `wanted` without a mean; takes ownership of A. */
singular singular_of(ovk_mat *A, const char *precond);

void singular_clear(singular *s);
#define scoped_singular SCOPED(singular_clear) singular

/* v <- v without its mean */
void center(ovk_vec *v);

/* ||x - wanted|| / ||wanted|| */
double distance(const ovk_vec *x, const ovk_vec *wanted);

#endif
