/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed sparse rows times two vectors at once: entries are read once for both. Sums are made
 * in the order of csr.c, so that results are bitwise equal to two products. */
#include "core/base/cpu_dispatch.h"
#include "matrix/formats/csr.h"

#include <stddef.h>

/* *sum0 and *sum1 <- row i of A times x0 and x1, vectors with stride `step`. */
OVK_ALWAYS_INLINE void row_times_pair(const ovk__csr *A, ovk_lidx i, const double *restrict x0,
                                      const double *restrict x1, ptrdiff_t step, double *sum0,
                                      double *sum1)
{
  const double *val = A->val + A->ptr[i];
  const ovk_lidx *col = A->col + A->ptr[i];
  const ovk_lidx n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
  const ovk_lidx fours = n < 8 ? 0 : n - n % 4;
  double a[4] = {0}, b[4] = {0}, rest0 = 0, rest1 = 0;
  ovk__prefetch_entries(val, sizeof *val, fours ? n : 1); /* a line for a short row: no loop */
  ovk__prefetch_entries(col, sizeof *col, fours ? n : 1);
  for (ovk_lidx k = 0; k < fours; k += 4) {
    for (int l = 0; l < 4; l++) {
      a[l] += val[k + l] * x0[step * col[k + l]];
      b[l] += val[k + l] * x1[step * col[k + l]];
    }
  }
  for (ovk_lidx k = fours; k < n; k++) {
    rest0 += val[k] * x0[step * col[k]];
    rest1 += val[k] * x1[step * col[k]];
  }
  *sum0 = (a[0] + a[1]) + (a[2] + a[3]) + rest0;
  *sum1 = (b[0] + b[1]) + (b[2] + b[3]) + rest1;
}

void ovk__csr_mult_pair(const void *block, const double *const x[2], double *const y[2],
                        ovk_poll poll)
{
  const ovk__csr *A = block;
  for (ovk_lidx i = 0, end; i < A->rows; i = end) {
    end = ovk_poll_until(poll, i, A->rows);
    for (ovk_lidx k = i; k < end; k++) row_times_pair(A, k, x[0], x[1], 1, &y[0][k], &y[1][k]);
    ovk_poll_call(poll);
  }
}

void ovk__csr_mult_add_pair(const ovk__csr *A, const ovk_lidx *rows, const double *x,
                            double *const y[2])
{
  for (ovk_lidx k = 0; k < A->rows; k++) {
    double sum0, sum1;
    row_times_pair(A, k, x, x + 1, 2, &sum0, &sum1);
    y[0][rows[k]] += sum0;
    y[1][rows[k]] += sum1;
  }
}
