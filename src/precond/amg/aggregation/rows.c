/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies the rows of a level, and exchanges values of ghosts. */
#include "precond/amg/aggregation/rows.h"
#include "core/base/sorted.h"
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

/* The number of rows of the remote block before row i. */
static ovk_lidx rows_remote_before(const ovk_mat *A, ovk_lidx i)
{
  OVK_BISECT(ovk_lidx, k, 0, A->remote.rows, A->remote_rows[middle] < i);
  return k;
}

/* Enters the rows `from` to `to` - 1 of the remote block into those held, which have the local
 * block: ghosts of lower ranks, own columns, ghosts of higher ranks. It goes from the last row to
 * the first, so that each entry is moved once. */
static void rows_insert_ghosts(ovk__amg_rows *rows, ovk_lidx from, ovk_lidx to)
{
  const ovk_mat *A = rows->A;
  const ovk__csr *R = &A->remote;
  const ovk_lidx held = rows->end - rows->begin;
  int64_t end = rows->ptr[held];
  if (from == to) return;
  const int64_t before = R->ptr[from];
  for (ovk_lidx r = to - 1; r >= from; r--) {
    const int64_t first = R->ptr[r], last = R->ptr[r + 1];
    const int64_t *ptr = rows->ptr + (A->remote_rows[r] - rows->begin);
    int64_t split = first;
    while (split < last && A->ghosts.col[R->col[split]] < rows->first) split++;
    rows_move(rows, ptr[1], ptr[1] + last - before, end - ptr[1]);
    rows_move(rows, ptr[0], ptr[0] + split - before, ptr[1] - ptr[0]);
    rows_enter(rows, first, split, ptr[0] + first - before);
    rows_enter(rows, split, last, ptr[1] + split - before);
    end = ptr[0];
  }
  for (ovk_lidx i = 0, r = from; i < held; i++) {
    r += r < to && A->remote_rows[r] == rows->begin + i;
    rows->ptr[i + 1] += R->ptr[r] - before;
  }
}

void ovk__amg_rows_begin(const ovk_mat *A, ovk__amg_rows *out)
{
  *out = (ovk__amg_rows){.A = A,
                         .first = A->layout.first,
                         .global = A->layout.global,
                         .n = A->layout.local,
                         .all = A->layout.local + A->ghosts.count,
                         .block = 1};
}

/* Makes room for so many entries, without those before. */
static ovk_err rows_reserve(ovk__amg_rows *rows, int64_t nnz)
{
  if (rows->col && nnz <= rows->room) return OVK_OK;
  const int64_t room = rows->col ? nnz + nnz / 8 : nnz;
  ovk__amg_rows_drop(rows);
  OVK_NEW_ARRAY(rows->A->ctx, rows->col, room);
  OVK_NEW_ARRAY(rows->A->ctx, rows->val, room);
  rows->room = room;
  return OVK_OK;
}

/* rows->ptr <- the places of n rows of the local block; counts them if their lengths are unknown.
 */
static void rows_place(ovk__amg_rows *rows, ovk_lidx n)
{
  const ovk_mat *A = rows->A;
  const ovk_lidx begin = rows->begin;
  int64_t *ptr = rows->ptr;
  if (rows->end <= rows->counted) {
    ptr[0] = 0;
    for (ovk_lidx k = 0; k < n; k++) ptr[k + 1] = ptr[k] + rows->length[begin + k];
    return;
  }
  ovk__format_count(A->format, A->local, begin, n, ptr);
  if (!rows->length || begin > rows->counted) return;
  for (ovk_lidx k = 0; k < n; k++) rows->length[begin + k] = (ovk_lidx)(ptr[k + 1] - ptr[k]);
  rows->counted = rows->end;
}

/* Fills the arrays with the rows that are held. */
static ovk_err rows_fill(ovk__amg_rows *rows)
{
  const ovk_mat *A = rows->A;
  const ovk_lidx n = rows->end - rows->begin, remote = rows_remote_before(A, rows->begin),
                 remote_end = rows_remote_before(A, rows->end);
  const int64_t nremote =
      remote < remote_end ? A->remote.ptr[remote_end] - A->remote.ptr[remote] : 0;
  OVK_RESIZE(A->ctx, rows->ptr, (int64_t)n + 1);
  rows_place(rows, n);
  OVK_TRY(rows_reserve(rows, rows->ptr[n] + nremote));
  ovk__csr local = {.rows = n, .ptr = rows->ptr, .col = rows->col, .val = rows->val};
  OVK_TRY(ovk__format_unfold(A->ctx, A->format, A->local, rows->begin, &local));
  rows_insert_ghosts(rows, remote, remote_end);
  return OVK_OK;
}

ovk_err ovk__amg_rows_read(ovk__amg_rows *rows, ovk_lidx from, ovk_lidx end)
{
  const bool all = rows->A->format->mirrors;
  const ovk_lidx more = OVK__ROW_BLOCK - 1 - (end - 1) % OVK__ROW_BLOCK;
  if (rows->col && rows->begin <= from && end <= rows->end) return OVK_OK;
  rows->begin = all ? 0 : from - from % OVK__ROW_BLOCK;
  rows->end = all || rows->n - end < more ? rows->n : end + more;
  return rows_fill(rows);
}

ovk_err ovk__amg_rows_create(const ovk_mat *A, ovk__amg_rows *out)
{
  ovk__amg_rows_begin(A, out);
  OVK_NEW_ARRAY(A->ctx, out->length, out->n);
  OVK_NEW_ZEROS(A->ctx, out->diagonal, out->n);
  A->format->diagonal(A->local, out->diagonal);
  return OVK_OK;
}

int64_t ovk__amg_rows_entries(const ovk__amg_rows *rows)
{
  return rows->block > 1 ? rows->ptr[rows->n] : rows->A->local_nnz + ovk__csr_nnz(&rows->A->remote);
}

void ovk__amg_rows_drop(ovk__amg_rows *rows)
{
  free(rows->col);
  free(rows->val);
  rows->col = NULL;
  rows->val = NULL;
  rows->room = 0;
}

void ovk__amg_rows_free(ovk__amg_rows *rows)
{
  ovk__amg_rows_drop(rows);
  free(rows->ptr);
  free(rows->diagonal);
  free(rows->length);
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
