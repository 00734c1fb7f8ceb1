/* SPDX-License-Identifier: BSD-2-Clause */
/* Eigenvalues of the small tridiagonal matrices that Lanczos steps make. */
#ifndef OVK_CORE_MATH_TRIDIAGONAL_H
#define OVK_CORE_MATH_TRIDIAGONAL_H

#include <stdbool.h>

/* The extreme eigenvalues of the symmetric matrix with diagonal d and off-diagonal e, of n and
 * n - 1 entries, to the rounding of the largest. False, and the results unchanged, for n = 0 and
 * for entries that are not finite. */
bool ovk__tridiagonal_ends(int n, const double *d, const double *e, double *lambda_min,
                           double *lambda_max);

#endif
