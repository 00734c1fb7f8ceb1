/* SPDX-License-Identifier: BSD-2-Clause */
/* Singular systems whose solution of least norm is known. All functions are collective. */
#ifndef TEST_SOLVERS_SINGULAR_H
#define TEST_SOLVERS_SINGULAR_H

#include "support/problem.h"

/* b = A wanted for a random `wanted` without a mean; takes ownership of A. */
linear_system singular_of(ovk_mat *A, const char *precond);

/* v <- v without its mean */
void center(ovk_vec *v);

/* ||x - wanted|| / ||wanted|| */
double distance(const ovk_vec *x, const ovk_vec *wanted);

#endif
