/* SPDX-License-Identifier: BSD-2-Clause */
/* Inverts the coarsest matrix on every rank, or on the one that has all rows. */
#include "precond/amg/coarsest.h"
#include "core/base/columns.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/inverse.h"
#include "precond/lapack.h"

#include <ovkrylov/plugin/poll.h>
#include <stdlib.h>
#include <string.h>

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

/* C->inverse <- this rank's rows of A; *a <- room for all rows. */
static ovk_err coarsest_read(const ovk_mat *A, double **a, ovk__amg_coarsest *C)
{
  const size_t n = (size_t)C->n;
  if (!coarsest_inverts(C)) return OVK_OK;
  OVK_NEW_ARRAY(A->ctx, *a, n * n);
  OVK_NEW_ZEROS(A->ctx, C->inverse, (size_t)C->rows * (size_t)C->n);
  if (C->owners > 1) OVK_NEW_ARRAY(A->ctx, C->b, C->n);
  const row_writer w = {C->inverse, C->n, A->layout.first};
  return ovk_mat_local_rows(A, coarsest_write_row, (void *)&w);
}

/* a <- the rows of all ranks, which are in C->inverse. */
static ovk_err coarsest_gather(double *a, const ovk__amg_coarsest *C)
{
  MPI_Datatype row;
  if (C->owners <= 1) {
    const size_t n = (size_t)C->n;
    if (C->rows) memcpy(a, C->inverse, n * n * sizeof *a);
    return OVK_OK;
  }
  OVK_TRY_MPI(C->ctx, MPI_Type_contiguous(C->n, MPI_DOUBLE, &row));
  int code = MPI_Type_commit(&row);
  if (!code) {
    code = MPI_Allgatherv(C->inverse, (int)C->rows, row, a, C->count, C->first, row,
                          ovk_ctx_comm(C->ctx));
  }
  (void)MPI_Type_free(&row);
  OVK_CHECK_MPI(C->ctx, code, "MPI_Allgatherv");
  return OVK_OK;
}

/* C->inverse <- this rank's rows of the inverse of a. */
static ovk_err coarsest_invert(const ovk_mat *A, double *a, bool symmetric, ovk__amg_coarsest *C)
{
  if (!coarsest_inverts(C)) return OVK_OK;
  OVK_TRY(ovk__amg_invert(A->ctx, a, C->n, symmetric, &C->singular));
  const size_t n = (size_t)C->n;
  if (C->rows) {
    memcpy(C->inverse, a + (size_t)A->layout.first * n, (size_t)C->rows * n * sizeof *a);
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

static ovk_err coarsest_make(const ovk_mat *A, bool symmetric, double **a, ovk__amg_coarsest *C)
{
  OVK_TRY(ovk__agree(A->ctx, ovk__lapack_check(A->ctx, "amg")));
  OVK_TRY(ovk__agree(A->ctx, coarsest_allocate_counts(C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_count(C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_read(A, a, C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_gather(*a, C)));
  OVK_TRY(ovk__agree(A->ctx, coarsest_invert(A, *a, symmetric, C)));
  return coarsest_share_singular(C);
}

ovk_err ovk__amg_coarsest_create(const ovk_mat *A, bool symmetric, ovk__amg_coarsest *out)
{
  double *a = NULL;
  *out = (ovk__amg_coarsest){
      .ctx = A->ctx, .n = (int)A->layout.global, .rows = A->layout.local, .width = 1};
  const ovk_err err = coarsest_make(A, symmetric, &a, out);
  free(a);
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
  OVK_TRY_MPI(C->ctx, MPI_Iallgatherv(b, (int)C->rows * C->width, MPI_DOUBLE, C->b, C->count,
                                      C->first, MPI_DOUBLE, ovk_ctx_comm(C->ctx), &request));
  while (!complete) {
    OVK_TRY_MPI(C->ctx, MPI_Test(&request, &complete, MPI_STATUS_IGNORE));
    ovk_poll_call(poll);
    if (!complete && C->ctx->jobs) C->ctx->serve(C->ctx);
  }
  return OVK_OK;
}

/* x <- the inverse times b, for vectors of w columns */
OVK_ALWAYS_INLINE void coarsest_multiply(int w, const ovk__amg_coarsest *C,
                                         const double *restrict b, double *restrict x)
{
  for (ptrdiff_t i = 0; i < C->rows; i++) {
    const double *row = C->inverse + i * C->n;
    ovk__columns sum;
    ovk__columns_zero(w, &sum);
    for (ptrdiff_t j = 0; j < C->n; j++) ovk__columns_add_multiple(w, &sum, row[j], b + j * w);
    ovk__columns_store(w, x + i * w, &sum);
  }
}

OVK_FOR_EACH_CPU
static void coarsest_multiply_many(const ovk__amg_coarsest *C, const double *b, double *x)
{
  OVK__FOR_WIDTH(C->width, coarsest_multiply, C, b, x);
}

ovk_err ovk__amg_coarsest_solve(const ovk__amg_coarsest *C, const double *b, double *x,
                                ovk_poll poll)
{
  if (C->owners > 1) {
    OVK_TRY(coarsest_collect(C, b, poll));
    b = C->b;
  }
  if (C->width > 1) coarsest_multiply_many(C, b, x);
  for (ovk_lidx i = 0; C->width == 1 && i < C->rows; i++) {
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
