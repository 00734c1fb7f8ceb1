/* SPDX-License-Identifier: BSD-2-Clause */
/* Dense blocks: factors and triangular solves, in panels of columns so that they can poll. */
#include "precond/bjacobi/dense.h"
#include "core/context/mem.h"

#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a panel. */
enum { PANEL = 64 };

static size_t dense_nentries(const ovk__dense *B)
{
  return (size_t)B->n * (size_t)B->n;
}

/* The entry in row i of column j. */
static double *dense_entry(const ovk__dense *B, ovk_lidx i, ovk_lidx j)
{
  return B->a + (size_t)j * (size_t)B->n + i;
}

static void dense_copy(const ovk__block *A, ovk__dense *B)
{
  memset(B->a, 0, dense_nentries(B) * sizeof *B->a);
  for (ovk_lidx i = 0; i < B->n; i++) {
    const ovk_lidx row = B->first + i;
    for (int64_t k = A->ptr[row]; k < A->ptr[row + 1]; k++) {
      const ovk_lidx j = A->col[k] - B->first;
      if (j >= 0 && j < B->n) *dense_entry(B, i, j) = A->val[k];
    }
  }
}

/* Whether entries and their transposes differ by rounding only. */
static bool dense_is_symmetric(const ovk__dense *B)
{
  const double rounding = 1e-10;
  for (ovk_lidx j = 0; j < B->n; j++) {
    for (ovk_lidx i = j + 1; i < B->n; i++) {
      const double most =
          rounding * sqrt(fabs(*dense_entry(B, i, i))) * sqrt(fabs(*dense_entry(B, j, j)));
      if (!(fabs(*dense_entry(B, i, j) - *dense_entry(B, j, i)) <= most)) return false;
    }
  }
  return true;
}

static ovk_err factor_lu(const ovk__block *A, ovk__dense *B)
{
  dense_copy(A, B);
  OVK_NEW_ARRAY(A->ctx, B->pivot, B->n);
  const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, B->n, B->n, B->a, B->n, B->pivot);
  OVK_CHECK(info == 0, A->ctx, OVK_ERR_ARG,
            "the block of rows %lld to %lld is singular: no pivot for row %lld",
            (long long)(A->first + B->first), (long long)(A->first + B->first + B->n - 1),
            (long long)(A->first + B->first + info - 1));
  return OVK_OK;
}

ovk_err ovk__dense_factor(const ovk__block *A, ovk_lidx first, ovk_lidx n, ovk__dense *out)
{
  *out = (ovk__dense){.first = first, .n = n};
  OVK_TRY(ovk__lapack_check(A->ctx, "bjacobi with dense blocks"));
  OVK_NEW_ARRAY(A->ctx, out->a, dense_nentries(out));
  dense_copy(A, out);
  if (dense_is_symmetric(out) && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, out->a, n) == 0) {
    return OVK_OK;
  }
  return factor_lu(A, out);
}

void ovk__dense_free(ovk__dense *B)
{
  free(B->a);
  free(B->pivot);
  *B = (ovk__dense){0};
}

int64_t ovk__dense_bytes(const ovk__dense *B)
{
  return (int64_t)(dense_nentries(B) * sizeof *B->a) +
         (B->pivot ? (int64_t)B->n * (int64_t)sizeof *B->pivot : 0);
}

void ovk__dense_solve_left(const ovk__dense *B, double *x, ovk_poll poll)
{
  for (ovk_lidx k = 0, end; k < B->n; k = end) {
    const ovk_lidx width = PANEL < B->n - k ? PANEL : B->n - k;
    end = k + width;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, width, dense_entry(B, k, k),
                B->n, x + k, 1);
    if (end < B->n) {
      cblas_dgemv(CblasColMajor, CblasNoTrans, B->n - end, width, -1, dense_entry(B, end, k), B->n,
                  x + k, 1, 1, x + end, 1);
    }
    ovk_poll_call(poll);
  }
}

void ovk__dense_solve_right(const ovk__dense *B, double *x, ovk_poll poll)
{
  for (ovk_lidx end = B->n, k; end > 0; end = k) {
    k = (end - 1) / PANEL * PANEL;
    if (end < B->n) {
      cblas_dgemv(CblasColMajor, CblasTrans, B->n - end, end - k, -1, dense_entry(B, end, k), B->n,
                  x + end, 1, 1, x + k, 1);
    }
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, end - k, dense_entry(B, k, k),
                B->n, x + k, 1);
    ovk_poll_call(poll);
  }
}

void ovk__dense_solve(const ovk__dense *B, double *x, ovk_poll poll)
{
  if (B->pivot) {
    (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', B->n, 1, B->a, B->n, B->pivot, x, B->n);
    ovk_poll_call(poll);
    return;
  }
  ovk__dense_solve_left(B, x, poll);
  ovk__dense_solve_right(B, x, poll);
}
