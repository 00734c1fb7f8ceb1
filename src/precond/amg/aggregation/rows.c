/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies the rows of a level, and exchanges values of ghosts. */
#include "precond/amg/aggregation/rows.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

/* Moves entries to the right within the arrays. */
static void rows_move(ovk__amg_rows *rows, int64_t from, int64_t to, int64_t n)
{
  if (n == 0) return;
  memmove(rows->col + to, rows->col + from, (size_t)n * sizeof *rows->col);
  memmove(rows->val + to, rows->val + from, (size_t)n * sizeof *rows->val);
}

/* Enters the ghosts k to end - 1 of the remote block from place `at` on. */
static void rows_enter(ovk__amg_rows *rows, int64_t k, int64_t end, int64_t at)
{
  const ovk__csr *R = &rows->A->remote;
  for (; k < end; k++, at++) {
    rows->col[at] = rows->n + R->col[k];
    rows->val[at] = R->val[k];
  }
}

/* Enters the remote block into the rows, which have the local block: ghosts of lower ranks, own
 * columns, ghosts of higher ranks. It goes from the last row to the first, so that each entry is
 * moved once. */
static void rows_insert_ghosts(ovk__amg_rows *rows)
{
  const ovk_mat *A = rows->A;
  const ovk__csr *R = &A->remote;
  int64_t end = rows->ptr[rows->n];
  for (ovk_lidx r = R->rows - 1; r >= 0; r--) {
    const int64_t first = R->ptr[r], last = R->ptr[r + 1];
    const int64_t *ptr = rows->ptr + A->remote_rows[r];
    int64_t split = first;
    while (split < last && A->ghosts.col[R->col[split]] < rows->first) split++;
    rows_move(rows, ptr[1], ptr[1] + last, end - ptr[1]);
    rows_move(rows, ptr[0], ptr[0] + split, ptr[1] - ptr[0]);
    rows_enter(rows, first, split, ptr[0] + first);
    rows_enter(rows, split, last, ptr[1] + split);
    end = ptr[0];
  }
  for (ovk_lidx i = 0, r = 0; i < rows->n; i++) {
    r += r < R->rows && A->remote_rows[r] == i;
    rows->ptr[i + 1] += R->rows ? R->ptr[r] : 0;
  }
}

ovk_err ovk__amg_rows_create(const ovk_mat *A, ovk__amg_rows *out)
{
  const ovk_lidx n = A->layout.local;
  const int64_t nnz = A->local_nnz + ovk__csr_nnz(&A->remote);
  *out = (ovk__amg_rows){.A = A,
                         .first = A->layout.first,
                         .global = A->layout.global,
                         .n = n,
                         .all = n + A->ghosts.count,
                         .block = 1};
  OVK_NEW_ZEROS(A->ctx, out->ptr, n + 1);
  OVK_NEW_ARRAY(A->ctx, out->col, nnz);
  OVK_NEW_ARRAY(A->ctx, out->val, nnz);
  OVK_NEW_ZEROS(A->ctx, out->diagonal, n);
  ovk__csr local = {.rows = n, .ptr = out->ptr, .col = out->col, .val = out->val};
  ovk__format_count(A->format, A->local, 0, n, local.ptr);
  OVK_TRY(ovk__format_unfold(A->ctx, A->format, A->local, 0, &local));
  A->format->diagonal(A->local, out->diagonal);
  rows_insert_ghosts(out);
  return OVK_OK;
}

void ovk__amg_rows_free(ovk__amg_rows *rows)
{
  free(rows->ptr);
  free(rows->col);
  free(rows->val);
  free(rows->diagonal);
  free(rows->ghosts);
  free(rows->ghost_point);
  free(rows->buffer);
  *rows = (ovk__amg_rows){0};
}

/* ghosts <- the values of the ghosts of A. */
static ovk_err rows_exchange_of_matrix(const ovk_mat *A, const double *values,
                                       const double **ghosts)
{
  ovk_err err = ovk__halo_begin(A->halo, &values);
  if (!err) err = ovk__halo_end(A->halo, ghosts);
  return ovk__agree(A->ctx, err);
}

/* Exchanges values of points as values of the rows of A. */
static ovk_err points_exchange(const ovk__amg_rows *points, double *values)
{
  const double *ghosts = NULL;
  for (ovk_lidx i = 0; i < points->n * points->block; i++) {
    points->buffer[i] = values[i / points->block];
  }
  OVK_TRY(rows_exchange_of_matrix(points->A, points->buffer, &ghosts));
  for (ovk_lidx k = 0; k < points->A->ghosts.count; k++) {
    values[points->n + points->ghost_point[k]] = ghosts[k];
  }
  return OVK_OK;
}

ovk_err ovk__amg_rows_exchange(const ovk__amg_rows *rows, double *values)
{
  const double *ghosts = NULL;
  if (rows->block > 1) return points_exchange(rows, values);
  OVK_TRY(rows_exchange_of_matrix(rows->A, values, &ghosts));
  const size_t count = (size_t)rows->A->ghosts.count;
  if (count) memcpy(values + rows->n, ghosts, count * sizeof *values);
  return OVK_OK;
}
