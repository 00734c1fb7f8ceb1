/* SPDX-License-Identifier: BSD-2-Clause */
/* Inverts the coarsest matrix by Cholesky factors, or by eigenvalues where it is singular: on every
 * rank, or on the one that has all rows. */
#include "precond/amg/coarsest.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/lapack.h"

#include <math.h>
#include <ovkrylov/plugin/poll.h>
#include <stdlib.h>
#include <string.h>

/* A pivot, or an eigenvalue, below this fraction of the largest counts as 0. */
static const double SINGULAR = 1e-11;

typedef struct dense {
  double *a;       /* n x n by columns, symmetric */
  double *factors; /* the same, overwritten */
  double *eigenvalues;
  int n;
} dense;

static size_t squared(int n)
{
  return (size_t)n * (size_t)n;
}

/* The place of entry (i,j) of an n x n matrix by columns. */
static size_t at(int n, int i, int j)
{
  return (size_t)i + (size_t)j * (size_t)n;
}

static void dense_free(dense *D)
{
  free(D->a);
  free(D->factors);
  free(D->eigenvalues);
}

typedef struct row_writer {
  double *a; /* this rank's rows */
  int n;
  ovk_gidx first;
} row_writer;

static ovk_err coarsest_write_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                                  const double *val)
{
  const row_writer *w = arg;
  double *row = w->a + (i - w->first) * w->n;
  for (ovk_lidx k = 0; k < n; k++) row[col[k]] = val[k];
  return OVK_OK;
}

/* Finds the rows of each rank. */
static ovk_err coarsest_count(ovk__amg_coarsest *C)
{
  const int rows = (int)C->rows, size = ovk_ctx_size(C->ctx);
  OVK_TRY_MPI(C->ctx, MPI_Allgather(&rows, 1, MPI_INT, C->count, 1, MPI_INT, ovk_ctx_comm(C->ctx)));
  for (int k = 0, next = 0; k < size; next += C->count[k++]) {
    C->first[k] = next;
    C->owners += C->count[k] > 0;
  }
  return OVK_OK;
}

static ovk_err coarsest_allocate_counts(ovk__amg_coarsest *C)
{
  OVK_NEW_ARRAY(C->ctx, C->count, ovk_ctx_size(C->ctx));
  OVK_NEW_ARRAY(C->ctx, C->first, ovk_ctx_size(C->ctx));
  return OVK_OK;
}

/* Whether this rank inverts the matrix. */
static bool coarsest_inverts(const ovk__amg_coarsest *C)
{
  return C->owners > 1 || C->rows > 0;
}

/* C->inverse <- this rank's rows of A. */
static ovk_err coarsest_read(const ovk_mat *A, dense *D, ovk__amg_coarsest *C)
{
  if (!coarsest_inverts(C)) return OVK_OK;
  OVK_NEW_ZEROS(A->ctx, D->a, squared(D->n));
  OVK_NEW_ARRAY(A->ctx, D->factors, squared(D->n));
  OVK_NEW_ARRAY(A->ctx, D->eigenvalues, D->n);
  OVK_NEW_ZEROS(A->ctx, C->inverse, (size_t)C->rows * (size_t)C->n);
  if (C->owners > 1) OVK_NEW_ARRAY(A->ctx, C->b, C->n);
  const row_writer w = {C->inverse, C->n, A->layout.first};
  return ovk_mat_local_rows(A, coarsest_write_row, (void *)&w);
}

/* D->a <- the rows of all ranks, which are in C->inverse. */
static ovk_err coarsest_gather(dense *D, const ovk__amg_coarsest *C)
{
  MPI_Datatype row;
  if (C->owners <= 1) {
    if (C->rows) memcpy(D->a, C->inverse, squared(C->n) * sizeof *D->a);
    return OVK_OK;
  }
  OVK_TRY_MPI(C->ctx, MPI_Type_contiguous(C->n, MPI_DOUBLE, &row));
  int code = MPI_Type_commit(&row);
  if (!code) {
    code = MPI_Allgatherv(C->inverse, (int)C->rows, row, D->a, C->count, C->first, row,
                          ovk_ctx_comm(C->ctx));
  }
  (void)MPI_Type_free(&row);
  OVK_CHECK_MPI(C->ctx, code, "MPI_Allgatherv");
  return OVK_OK;
}

/* D->a <- its inverse by Cholesky factors; false if a pivot is not positive or too small. */
static bool coarsest_invert_definite(dense *D)
{
  const int n = D->n;
  double largest = 0;
  memcpy(D->factors, D->a, squared(n) * sizeof *D->a);
  for (int i = 0; i < n; i++) largest = fmax(largest, D->a[at(n, i, i)]);
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, D->factors, n) != 0) return false;
  for (int i = 0; i < n; i++) {
    const double pivot = D->factors[at(n, i, i)];
    if (!(pivot * pivot > SINGULAR * largest)) return false;
  }
  if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, D->factors, n) != 0) return false;
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      const double value = D->factors[at(n, i, j)];
      D->a[at(n, i, j)] = D->a[at(n, j, i)] = value;
    }
  }
  return true;
}

/* D->a <- the sum of v v^T / lambda over the eigenvalues that are not 0, with eigenvectors v in
 * D->factors. */
static void coarsest_sum_eigenvectors(dense *D, double least, int *singular)
{
  const int n = D->n;
  memset(D->a, 0, squared(n) * sizeof *D->a);
  *singular = 0;
  for (int k = 0; k < n; k++) {
    const double *v = D->factors + (size_t)k * (size_t)n;
    if (D->eigenvalues[k] <= least) {
      ++*singular;
      continue;
    }
    for (int j = 0; j < n; j++) {
      double *column = D->a + (size_t)j * (size_t)n;
      const double scaled = v[j] / D->eigenvalues[k];
      for (int i = 0; i < n; i++) column[i] += v[i] * scaled;
    }
  }
}

static ovk_err coarsest_invert_singular(ovk_ctx *ctx, dense *D, int *singular)
{
  const int n = D->n;
  memcpy(D->factors, D->a, squared(n) * sizeof *D->a);
  const lapack_int info =
      LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, D->factors, n, D->eigenvalues);
  OVK_CHECK(info == 0, ctx, OVK_ERR_ARG,
            "amg: the eigenvalues of the coarsest level, of %d rows, cannot be found: dsyev() "
            "returned %d",
            n, (int)info);
  const double largest = fabs(D->eigenvalues[n - 1]);
  OVK_CHECK(D->eigenvalues[0] >= -1e-8 * largest, ctx, OVK_ERR_INDEFINITE,
            "amg: the matrix is not positive definite: an eigenvalue of the coarsest level is %g, "
            "the largest %g",
            D->eigenvalues[0], largest);
  coarsest_sum_eigenvectors(D, 1e-8 * largest, singular);
  return OVK_OK;
}

/* C->inverse <- this rank's rows of the inverse of D->a. */
static ovk_err coarsest_invert(const ovk_mat *A, dense *D, ovk__amg_coarsest *C)
{
  if (!coarsest_inverts(C)) return OVK_OK;
  if (!coarsest_invert_definite(D)) {
    OVK_TRY(coarsest_invert_singular(A->ctx, D, &C->singular));
  }
  const size_t n = (size_t)C->n;
  if (C->rows) {
    memcpy(C->inverse, D->a + (size_t)A->layout.first * n, (size_t)C->rows * n * sizeof *D->a);
  }
  return OVK_OK;
}

/* Shares C->singular with all ranks; it is 0 on a rank that does not invert. */
static ovk_err coarsest_share_singular(ovk__amg_coarsest *C)
{
  double singular = C->singular;
  const ovk_err err = ovk__total(C->ctx, &singular, 1, MPI_MAX);
  C->singular = (int)singular;
  return ovk__agree(C->ctx, err);
}

static ovk_err coarsest_make(const ovk_mat *A, dense *D, ovk__amg_coarsest *C)
{
  OVK_TRY(ovk__agree(A->ctx, ovk__lapack_check(A->ctx, "amg")));
  OVK_TRY(ovk__agree(A->ctx, coarsest_allocate_counts(C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_count(C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_read(A, D, C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_gather(D, C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_invert(A, D, C)));
  return coarsest_share_singular(C);
}

ovk_err ovk__amg_coarsest_create(const ovk_mat *A, ovk__amg_coarsest *out)
{
  dense D = {.n = (int)A->layout.global};
  *out = (ovk__amg_coarsest){.ctx = A->ctx, .n = D.n, .rows = A->layout.local};
  const ovk_err err = coarsest_make(A, &D, out);
  dense_free(&D);
  return err;
}

void ovk__amg_coarsest_free(ovk__amg_coarsest *C)
{
  free(C->inverse);
  free(C->b);
  free(C->count);
  free(C->first);
  *C = (ovk__amg_coarsest){0};
}

/* C->b <- the right-hand side of all ranks. Progresses the caller's reduction meanwhile. */
static ovk_err coarsest_collect(const ovk__amg_coarsest *C, const double *b, ovk_poll poll)
{
  MPI_Request request;
  int complete = 0;
  OVK_TRY_MPI(C->ctx, MPI_Iallgatherv(b, (int)C->rows, MPI_DOUBLE, C->b, C->count, C->first,
                                      MPI_DOUBLE, ovk_ctx_comm(C->ctx), &request));
  while (!complete) {
    OVK_TRY_MPI(C->ctx, MPI_Test(&request, &complete, MPI_STATUS_IGNORE));
    ovk_poll_call(poll);
    if (!complete && C->ctx->jobs) C->ctx->serve(C->ctx);
  }
  return OVK_OK;
}

ovk_err ovk__amg_coarsest_solve(const ovk__amg_coarsest *C, const double *b, double *x,
                                ovk_poll poll)
{
  if (C->owners > 1) {
    OVK_TRY(coarsest_collect(C, b, poll));
    b = C->b;
  }
  for (ovk_lidx i = 0; i < C->rows; i++) {
    const double *row = C->inverse + (size_t)i * (size_t)C->n;
    double sum = 0;
    for (int j = 0; j < C->n; j++) sum += row[j] * b[j];
    x[i] = sum;
  }
  ovk_poll_call(poll);
  return OVK_OK;
}

int64_t ovk__amg_coarsest_bytes(const ovk__amg_coarsest *C)
{
  const int64_t values = ((int64_t)C->rows + (C->owners > 1)) * C->n;
  return values * (int64_t)sizeof *C->inverse +
         2 * (int64_t)sizeof *C->count * (C->ctx ? ovk_ctx_size(C->ctx) : 0);
}
