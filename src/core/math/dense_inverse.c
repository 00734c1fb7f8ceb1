/* SPDX-License-Identifier: BSD-2-Clause */
/* The inverse of a dense symmetric positive definite matrix by Gauss-Jordan steps, as the sweep
 * operator of statistics: after all pivots the matrix is minus the inverse. Each entry has one
 * chain of subtractions, so vectors of any length give the same bits. */
#include "core/math/dense_inverse.h"
#include "core/base/cpu_dispatch.h"

/* a <- a - row row^T / pivot, in the lower triangle */
OVK_FOR_EACH_CPU
static void dense_subtract(int n, const double *restrict row, double pivot, double *restrict a)
{
  for (int j = 0; j < n; j++) {
    double *column = a + (size_t)j * (size_t)n;
    const double scaled = row[j] / pivot;
    for (int i = j; i < n; i++) column[i] -= row[i] * scaled;
  }
}

/* Entry (i,k) or (k,i), in the lower triangle. */
static double *dense_entry(int n, double *a, int i, int k)
{
  return i < k ? a + (size_t)i * (size_t)n + k : a + (size_t)k * (size_t)n + i;
}

bool ovk__dense_invert(int n, double *a, double *row, double least)
{
  for (int k = 0; k < n; k++) {
    const double pivot = *dense_entry(n, a, k, k);
    if (!(pivot > least)) return false;
    for (int i = 0; i < n; i++) row[i] = *dense_entry(n, a, i, k);
    row[k] = 0;
    dense_subtract(n, row, pivot, a);
    for (int i = 0; i < n; i++) *dense_entry(n, a, i, k) = row[i] / pivot;
    *dense_entry(n, a, k, k) = -1 / pivot;
  }
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) *dense_entry(n, a, i, j) *= -1;
  }
  return true;
}
