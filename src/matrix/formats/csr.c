/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed sparse rows: storage and products. */
#include "matrix/formats/csr.h"
#include "base/clones.h"
#include "base/mem.h"

#include <stdlib.h>

ovk_err ovk__csr_alloc(ovk_ctx *ctx, ovk_lidx rows, int64_t nnz, ovk__csr *out)
{
  *out = (ovk__csr){.rows = rows};
  OVK_NEW_ARRAY(ctx, out->ptr, (size_t)rows + 1);
  OVK_NEW_ARRAY(ctx, out->col, nnz);
  OVK_NEW_ARRAY(ctx, out->val, nnz);
  out->ptr[0] = 0;
  return OVK_OK;
}

void ovk__csr_free(ovk__csr *A)
{
  free(A->ptr);
  free(A->col);
  free(A->val);
  *A = (ovk__csr){0};
}

int64_t ovk__csr_nnz(const ovk__csr *A)
{
  return A->ptr ? A->ptr[A->rows] : 0;
}

int64_t ovk__csr_bytes(const ovk__csr *A)
{
  const int64_t entry = (int64_t)(sizeof *A->col + sizeof *A->val);
  return ovk__csr_nnz(A) * entry + ((int64_t)A->rows + 1) * (int64_t)sizeof *A->ptr;
}

void ovk__csr_diagonal(const ovk__csr *A, double *d)
{
  for (ovk_lidx i = 0; i < A->rows; i++) {
    d[i] = 0;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      if (A->col[k] == i) d[i] = A->val[k];
    }
  }
}

/* The sum of val[k] x[col[k]] as one chain of additions; the processor overlaps the chains of
 * several short rows. */
static inline double chain(ovk_lidx n, const double *val, const ovk_lidx *col,
                           const double *restrict x)
{
  double sum = 0;
  for (ovk_lidx k = 0; k < n; k++) sum += val[k] * x[col[k]];
  return sum;
}

/* One row of A times x: a long row in four sums, so that memory and not the latency of additions is
 * the bound. */
static inline double row_times(const ovk__csr *A, ovk_lidx i, const double *restrict x)
{
  const double *val = A->val + A->ptr[i];
  const ovk_lidx *col = A->col + A->ptr[i];
  const ovk_lidx n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
  if (n < 8) return chain(n, val, col, x);
  ovk__ask_ahead(val, sizeof *val, n);
  ovk__ask_ahead(col, sizeof *col, n);
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  ovk_lidx k = 0;
  for (; k <= n - 4; k += 4) {
    sum0 += val[k] * x[col[k]];
    sum1 += val[k + 1] * x[col[k + 1]];
    sum2 += val[k + 2] * x[col[k + 2]];
    sum3 += val[k + 3] * x[col[k + 3]];
  }
  return (sum0 + sum1) + (sum2 + sum3) + chain(n - k, val + k, col + k, x);
}

double ovk__csr_mult_dot(const ovk__csr *A, const double *restrict x, double *restrict y,
                         ovk_poll poll)
{
  double dot = 0;
  for (ovk_lidx i = 0, end; i < A->rows; i = end) {
    end = ovk_poll_until(poll, i, A->rows);
    for (ovk_lidx k = i; k < end; k++) {
      y[k] = row_times(A, k, x); /* y <- A x */
      dot += x[k] * y[k];        /* (x, y) */
    }
    ovk_poll_call(poll);
  }
  return dot;
}

double ovk__csr_mult_add(const ovk__csr *A, const ovk_lidx *rows, const double *restrict x,
                         const double *u, double *restrict y)
{
  double dot = 0;
  for (ovk_lidx k = 0; k < A->rows; k++) {
    const double sum = row_times(A, k, x);
    y[rows[k]] += sum;
    dot += u[rows[k]] * sum;
  }
  return dot;
}
