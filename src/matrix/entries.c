/* SPDX-License-Identifier: BSD-2-Clause */
/* Iteration over the rows of an assembled matrix, with local and remote block merged. */
#include "core/context/mem.h"
#include "matrix/some_rows.h"

#include <stdlib.h>

typedef ovk_err (*entry_fn)(void *arg, ovk_gidx i, ovk_gidx j, double value);

/* One row at a time. */
typedef struct row_buffer {
  ovk_lidx *local; /* columns of the local block */
  ovk_gidx *col;
  double *val;
} row_buffer;

/* Appends the ghosts from *k on that are below `limit`; returns the new length of the row. */
static ovk_lidx append_ghosts(const ovk_mat *A, int64_t *k, int64_t end, ovk_gidx limit,
                              const row_buffer *row, ovk_lidx n)
{
  const ovk__csr *R = &A->remote;
  for (; *k < end && A->ghosts.col[R->col[*k]] < limit; ++*k, n++) {
    row->col[n] = A->ghosts.col[R->col[*k]];
    row->val[n] = R->val[*k];
  }
  return n;
}

/* Row i: ghosts of lower ranks, own columns, ghosts of higher ranks. Its ghosts are row
 * `remote_row` of the remote block, or it has none if that is -1. Returns its length. */
static ovk_lidx merge_row(const ovk_mat *A, ovk_lidx i, ovk_lidx remote_row, const row_buffer *row)
{
  const ovk_gidx first = A->layout.first;
  int64_t k = remote_row < 0 ? 0 : A->remote.ptr[remote_row];
  const int64_t end = remote_row < 0 ? 0 : A->remote.ptr[remote_row + 1];
  ovk_lidx n = append_ghosts(A, &k, end, first, row, 0);
  const ovk_lidx own = A->format->row(A->local, i, row->local, row->val + n);
  for (ovk_lidx l = 0; l < own; l++) row->col[n + l] = first + row->local[l];
  return append_ghosts(A, &k, end, A->layout.global, row, n + own);
}

static ovk_err visit_rows(const ovk_mat *A, const row_buffer *buffer, ovk__row_filter *wanted,
                          ovk_row_fn row, void *arg)
{
  ovk_lidx next = 0; /* row of the remote block */
  for (ovk_lidx i = 0; i < A->layout.local; i++) {
    const bool ghosts = next < A->remote.rows && A->remote_rows[next] == i;
    const ovk_lidx remote = ghosts ? next++ : -1;
    if (wanted && !wanted(arg, A->layout.first + i)) continue;
    const ovk_lidx n = merge_row(A, i, remote, buffer);
    OVK_TRY(row(arg, A->layout.first + i, n, buffer->col, buffer->val));
  }
  return OVK_OK;
}

static int64_t longest_of(const int64_t *ptr, ovk_lidx rows)
{
  int64_t longest = 0;
  for (ovk_lidx i = 0; i < rows; i++) {
    if (ptr[i + 1] - ptr[i] > longest) longest = ptr[i + 1] - ptr[i];
  }
  return longest;
}

/* At least the length of every row. */
static size_t entries_longest_row(const ovk_mat *A)
{
  int64_t local = 0, ptr[OVK__ROW_BLOCK + 1];
  for (ovk_lidx i = 0; i < A->layout.local; i += OVK__ROW_BLOCK) {
    const ovk_lidx left = A->layout.local - i, rows = left < OVK__ROW_BLOCK ? left : OVK__ROW_BLOCK;
    ovk__format_count(A->format, A->local, i, rows, ptr);
    const int64_t n = longest_of(ptr, rows);
    if (n > local) local = n;
  }
  return (size_t)(local + longest_of(A->remote.ptr, A->remote.rows));
}

ovk_err ovk__mat_for_some_rows(const ovk_mat *A, ovk__row_filter *wanted, ovk_row_fn row, void *arg)
{
  const size_t longest = entries_longest_row(A);
  const row_buffer buffer = {ovk__array(longest, sizeof *buffer.local),
                             ovk__array(longest, sizeof *buffer.col),
                             ovk__array(longest, sizeof *buffer.val)};
  const ovk_err err =
      buffer.local && buffer.col && buffer.val
          ? visit_rows(A, &buffer, wanted, row, arg)
          : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for a row of %zu entries", longest);
  free(buffer.local);
  free(buffer.col);
  free(buffer.val);
  return err;
}

ovk_err ovk_mat_for_each_row(const ovk_mat *A, ovk_row_fn row, void *arg)
{
  if (!A) return OVK_ERR_ARG;
  OVK_CHECK(row, A->ctx, OVK_ERR_ARG, "row is NULL");
  OVK_TRY(ovk__mat_check_ready(A));
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED, A->ctx, OVK_ERR_UNSUPPORTED,
            "a matrix-free operator has no rows to read");
  const unsigned before = A->ctx->message_count;
  const ovk__used used = OVK_USE(A);
  const ovk_err err = ovk__user_failed(A->ctx, before, ovk__mat_for_some_rows(A, NULL, row, arg),
                                       "the function for rows");
  ovk__end_use(&used);
  return err;
}

typedef struct entry_visitor {
  entry_fn entry;
  void *arg;
} entry_visitor;

static ovk_err visit_entries(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                             const double *val)
{
  const entry_visitor *v = arg;
  for (ovk_lidx k = 0; k < n; k++) OVK_TRY(v->entry(v->arg, i, col[k], val[k]));
  return OVK_OK;
}

ovk_err ovk__mat_for_each_entry(const ovk_mat *A, entry_fn entry, void *arg)
{
  entry_visitor v = {entry, arg};
  return ovk__mat_for_some_rows(A, NULL, visit_entries, &v);
}

/* The entries of the remote block. */
static ovk_err for_each_ghost(const ovk_mat *A, entry_fn entry, void *arg)
{
  const ovk__csr *R = &A->remote;
  for (ovk_lidx r = 0; r < R->rows; r++) {
    const ovk_gidx i = A->layout.first + A->remote_rows[r];
    for (int64_t k = R->ptr[r]; k < R->ptr[r + 1]; k++) {
      OVK_TRY(entry(arg, i, A->ghosts.col[R->col[k]], R->val[k]));
    }
  }
  return OVK_OK;
}

ovk_err ovk__mat_for_each_unpaired(const ovk_mat *A, entry_fn entry, void *arg)
{
  return A->format->symmetric ? for_each_ghost(A, entry, arg)
                              : ovk__mat_for_each_entry(A, entry, arg);
}
