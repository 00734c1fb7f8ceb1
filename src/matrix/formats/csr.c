/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed sparse rows: storage and products. */
#include "matrix/formats/csr.h"
#include "core/context/mem.h"
#include "matrix/formats/row_sum.h"

#include <stdlib.h>

/* Rows that are summed together in order. */
enum { CSR_ROWS = 4 };

ovk_err ovk__csr_alloc(ovk_ctx *ctx, ovk_lidx rows, int64_t nnz, ovk__csr *out)
{
  *out = (ovk__csr){.rows = rows};
  OVK_NEW_ARRAY(ctx, out->val, nnz); /* the longest first, which is the hardest to find room for */
  OVK_NEW_ARRAY(ctx, out->col, nnz);
  OVK_NEW_ARRAY(ctx, out->ptr, (size_t)rows + 1);
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

int64_t ovk__csr_bytes(const void *block)
{
  const ovk__csr *A = block;
  const int64_t entry = (int64_t)(sizeof *A->col + sizeof *A->val);
  return ovk__csr_nnz(A) * entry + ((int64_t)A->rows + 1) * (int64_t)sizeof *A->ptr;
}

void ovk__csr_diagonal(const void *block, double *d)
{
  const ovk__csr *A = block;
  for (ovk_lidx i = 0; i < A->rows; i++) {
    d[i] = 0;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      if (A->col[k] == i) d[i] = A->val[k];
    }
  }
}

/* The sum of val[k] x[col[k]] as one chain of additions; the processor overlaps the chains of
 * several short rows. */
OVK_ALWAYS_INLINE double chain(ovk_lidx n, const double *val, const ovk_lidx *col,
                               const double *restrict x)
{
  double sum = 0;
  for (ovk_lidx k = 0; k < n; k++) sum += val[k] * x[col[k]];
  return sum;
}

/* One row of A times x. */
OVK_ALWAYS_INLINE double csr_row_times(const ovk__csr *A, ovk_lidx i, const double *restrict x)
{
  const ovk__row row = {A->val + A->ptr[i], NULL, A->col + A->ptr[i], false};
  const ovk_lidx n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
  if (n >= 8) return ovk__row_sum(&row, n, x);
  ovk__row_prefetch(&row, 0);
  return chain(n, row.val, row.far, x);
}

/* y <- A x for rows `from` to `to` - 1; returns dot + (x, y) of these rows */
OVK_FOR_EACH_CPU
static double csr_multiply_rows(const ovk__csr *A, ovk_lidx from, ovk_lidx to,
                                const double *restrict x, double *restrict y, double dot)
{
  for (ovk_lidx i = from; i < to; i++) {
    y[i] = csr_row_times(A, i, x);
    dot += x[i] * y[i];
  }
  return dot;
}

double ovk__csr_mult_dot(const void *block, const double *restrict x, double *restrict y,
                         ovk_poll poll, const ovk__finish *finish)
{
  const ovk__csr *A = block;
  double dot = 0;
  for (ovk_lidx i = 0, end; i < A->rows; i = end) {
    end = ovk_poll_until(poll, i, A->rows);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = ovk__finish_until(finish, k, end);
      dot = csr_multiply_rows(A, k, stop, x, y, dot);
      ovk__finish_rows(finish, k, stop, y);
    }
    ovk_poll_call(poll);
  }
  return dot;
}

/* The entries of row i below it; `guess` is that number, if it is right. */
OVK_ALWAYS_INLINE ovk_lidx csr_below(const ovk__csr *A, ovk_lidx i, ovk_lidx guess)
{
  const ovk_lidx *col = A->col + A->ptr[i], n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
  ovk_lidx k = guess;
  if (k <= n && (k == 0 || col[k - 1] < i) && (k == n || col[k] >= i)) return k;
  for (k = 0; k < n && col[k] < i; k++) continue;
  return k;
}

/* `rows` rows from row i on, CSR_ROWS or one, each with n entries, `below` of them below the row:
 * two chains of additions each, which the processor overlaps. */
OVK_ALWAYS_INLINE void csr_ordered_rows(const ovk__csr *A, int rows, ovk_lidx i, ovk_lidx n,
                                        ovk_lidx below, const double *restrict x,
                                        double *restrict y)
{
  const double *val = A->val + A->ptr[i];
  const ovk_lidx *col = A->col + A->ptr[i];
  double low[CSR_ROWS] = {0}, high[CSR_ROWS] = {0};
  for (ovk_lidx k = 0; k < below; k++) {
    for (int64_t r = 0, at = k; r < rows; r++, at += n) low[r] += val[at] * x[col[at]];
  }
  for (ovk_lidx k = n - 1; k >= below; k--) {
    for (int64_t r = 0, at = k; r < rows; r++, at += n) high[r] += val[at] * x[col[at]];
  }
  for (int r = 0; r < rows; r++) y[i + r] = low[r] + high[r];
}

/* Rows `from` to `to` - 1: the columns below a row, and those from the last one down to it. Rows
 * that are alike are processed together. */
OVK_FOR_EACH_CPU
static void csr_multiply_ordered(const ovk__csr *A, ovk_lidx from, ovk_lidx to,
                                 const double *restrict x, double *restrict y)
{
  ovk_lidx below = 0;
  for (ovk_lidx i = from, done; i < to; i += done) {
    const ovk_lidx n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
    const double *val = A->val + A->ptr[i];
    const ovk_lidx *col = A->col + A->ptr[i];
    below = csr_below(A, i, below);
    for (done = 1; done < CSR_ROWS && i + done < to; done++) {
      const int64_t next = A->ptr[i + done];
      if (A->ptr[i + done + 1] - next != n || csr_below(A, i + done, below) != below) break;
    }
    ovk__prefetch_entries(val, sizeof *val, (int64_t)n * done);
    ovk__prefetch_entries(col, sizeof *col, (int64_t)n * done);
    if (done == CSR_ROWS) {
      csr_ordered_rows(A, CSR_ROWS, i, n, below, x, y);
    } else {
      for (ovk_lidx r = 0; r < done; r++) csr_ordered_rows(A, 1, i + r, n, below, x, y);
    }
  }
}

void ovk__csr_mult_ordered(const void *block, const double *restrict x, double *restrict y,
                           ovk_poll poll, const ovk__finish *finish)
{
  const ovk__csr *A = block;
  for (ovk_lidx i = 0, end; i < A->rows; i = end) {
    end = ovk_poll_until(poll, i, A->rows);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = ovk__finish_until(finish, k, end);
      csr_multiply_ordered(A, k, stop, x, y);
      ovk__finish_rows(finish, k, stop, y);
    }
    ovk_poll_call(poll);
  }
}

OVK_FOR_EACH_CPU
double ovk__csr_mult_add(const ovk__csr *A, const ovk_lidx *rows, const double *restrict x,
                         const double *u, double *restrict y)
{
  double dot = 0;
  for (ovk_lidx k = 0; k < A->rows; k++) {
    const double sum = csr_row_times(A, k, x);
    y[rows[k]] += sum;
    dot += u[rows[k]] * sum;
  }
  return dot;
}
