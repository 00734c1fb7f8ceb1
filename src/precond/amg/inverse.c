/* SPDX-License-Identifier: BSD-2-Clause */
/* Inverts by pivots or factors; if a pivot is too small, by eigenvalues, or by singular values of a
 * matrix that is not symmetric. LAPACK takes matrices by columns, so it sees the transpose. */
#include "precond/amg/inverse.h"
#include "core/context/mem.h"
#include "core/math/dense_inverse.h"
#include "precond/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot below this fraction of the largest number on the diagonal, or an eigenvalue or a singular
 * value below that fraction of the largest, counts as 0. */
static const double SMALL_PIVOT = 1e-11, SMALL_VALUE = 1e-8;

typedef struct dense {
  ovk_ctx *ctx;
  double *a;
  int n;
  double *factors, *right; /* factors of a; of singular values besides those to the left */
  double *values;          /* eigenvalues, or singular values */
  double *spare;           /* n */
  lapack_int *pivots;
} dense;

static size_t dense_size(const dense *D)
{
  return (size_t)D->n * (size_t)D->n;
}

/* Column j of an array. */
static double *dense_column(const dense *D, double *array, int j)
{
  return array + (size_t)j * (size_t)D->n;
}

static void dense_free(dense *D)
{
  free(D->factors);
  free(D->right);
  free(D->values);
  free(D->spare);
  free(D->pivots);
}

/* The least pivot that is large enough. */
static double dense_least_pivot(const dense *D)
{
  double largest = 0;
  for (int i = 0; i < D->n; i++) largest = fmax(largest, fabs(dense_column(D, D->a, i)[i]));
  return SMALL_PIVOT * largest;
}

/* Whether all numbers on the diagonal of the factors are large enough. */
static bool dense_is_regular(const dense *D)
{
  const double least = dense_least_pivot(D);
  for (int i = 0; i < D->n; i++) {
    if (!(fabs(dense_column(D, D->factors, i)[i]) > least)) return false;
  }
  return true;
}

/* False if a pivot is not positive or too small. */
static bool dense_invert_definite(dense *D)
{
  const int n = D->n;
  if (!ovk__dense_invert(n, D->factors, D->values, dense_least_pivot(D))) return false;
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      const double value = dense_column(D, D->factors, j)[i];
      dense_column(D, D->a, j)[i] = dense_column(D, D->a, i)[j] = value;
    }
  }
  return true;
}

/* By LU factors. */
static bool dense_invert_regular(dense *D)
{
  const int n = D->n;
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, D->factors, n, D->pivots) != 0) return false;
  if (!dense_is_regular(D)) return false;
  if (LAPACKE_dgetri_work(LAPACK_COL_MAJOR, n, D->factors, n, D->pivots, D->right,
                          (lapack_int)dense_size(D)) != 0) {
    return false;
  }
  memcpy(D->a, D->factors, dense_size(D) * sizeof *D->a);
  return true;
}

/* a <- a + u v^T / value, for vectors of n numbers */
static void dense_add(dense *D, const double *u, const double *v, double value)
{
  for (int j = 0; j < D->n; j++) {
    double *column = dense_column(D, D->a, j);
    const double scaled = v[j] / value;
    for (int i = 0; i < D->n; i++) column[i] += u[i] * scaled;
  }
}

/* A = V L V^T */
static ovk_err dense_invert_by_eigenvalues(dense *D, int *singular)
{
  const int n = D->n;
  const lapack_int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, D->factors, n, D->values);
  OVK_CHECK(info == 0, D->ctx, OVK_ERR_ARG,
            "amg: the eigenvalues of the coarsest level, of %d rows, cannot be found: dsyev() "
            "returned %d",
            n, (int)info);
  const double largest = fabs(D->values[n - 1]);
  OVK_CHECK(D->values[0] >= -SMALL_VALUE * largest, D->ctx, OVK_ERR_INDEFINITE,
            "amg: the matrix is not positive definite: an eigenvalue of the coarsest level is %g, "
            "the largest %g",
            D->values[0], largest);
  memset(D->a, 0, dense_size(D) * sizeof *D->a);
  for (int k = 0; k < n; k++) {
    const double *v = dense_column(D, D->factors, k);
    const bool omitted = D->values[k] <= SMALL_VALUE * largest;
    *singular += omitted;
    if (!omitted) dense_add(D, v, v, D->values[k]);
  }
  return OVK_OK;
}

/* A = U S V^T; the rows of V^T are in `right`. */
static ovk_err dense_invert_by_singular_values(dense *D, int *singular)
{
  const int n = D->n;
  const lapack_int info =
      LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', n, n, D->a, n, D->values, D->factors, n, D->right, n);
  OVK_CHECK(info == 0, D->ctx, OVK_ERR_ARG,
            "amg: the singular values of the coarsest level, of %d rows, cannot be found: dgesdd() "
            "returned %d",
            n, (int)info);
  memset(D->a, 0, dense_size(D) * sizeof *D->a);
  for (int k = 0; k < n; k++) {
    const bool omitted = D->values[k] <= SMALL_VALUE * D->values[0];
    *singular += omitted;
    if (omitted) continue;
    for (int i = 0; i < n; i++) D->spare[i] = dense_column(D, D->right, i)[k];
    dense_add(D, D->spare, dense_column(D, D->factors, k), D->values[k]);
  }
  return OVK_OK;
}

static ovk_err dense_invert(dense *D, bool symmetric, int *singular)
{
  OVK_NEW_ARRAY(D->ctx, D->factors, dense_size(D));
  OVK_NEW_ARRAY(D->ctx, D->values, D->n);
  if (!symmetric) {
    OVK_NEW_ARRAY(D->ctx, D->right, dense_size(D));
    OVK_NEW_ARRAY(D->ctx, D->spare, D->n);
    OVK_NEW_ARRAY(D->ctx, D->pivots, D->n);
  }
  memcpy(D->factors, D->a, dense_size(D) * sizeof *D->a);
  if (symmetric ? dense_invert_definite(D) : dense_invert_regular(D)) return OVK_OK;
  memcpy(D->factors, D->a, dense_size(D) * sizeof *D->a);
  return symmetric ? dense_invert_by_eigenvalues(D, singular)
                   : dense_invert_by_singular_values(D, singular);
}

ovk_err ovk__amg_invert(ovk_ctx *ctx, double *a, int n, bool symmetric, int *singular)
{
  dense D = {.ctx = ctx, .a = a, .n = n};
  *singular = 0;
  const ovk_err err = n ? dense_invert(&D, symmetric, singular) : OVK_OK;
  dense_free(&D);
  return err;
}
