/* SPDX-License-Identifier: BSD-2-Clause */
/* The inverse of a dense symmetric positive definite matrix, with the same bits on every processor:
 * those of LAPACK depend on its version, on the processor and on the number of threads. */
#ifndef OVK_CORE_MATH_DENSE_INVERSE_H
#define OVK_CORE_MATH_DENSE_INVERSE_H

#include <stdbool.h>

/* a <- its inverse, in the lower triangle of n x n numbers by columns; the rest is not used. `row`:
 * scratch of n numbers. Returns false if a pivot is not above `least`; then a is meaningless. */
bool ovk__dense_invert(int n, double *a, double *row, double least);

#endif
