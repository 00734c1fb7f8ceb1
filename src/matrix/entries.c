/* SPDX-License-Identifier: BSD-2-Clause */
/* Iteration over the entries of an assembled matrix, with local and remote block merged. */
#include "base/mem.h"
#include "matrix/mat_impl.h"

#include <stdlib.h>

typedef ovk_err (*entry_fn)(void *arg, ovk_gidx i, ovk_gidx j, double value);

/* One row: ghosts of lower ranks, own columns, ghosts of higher ranks. */
static ovk_err visit_row(const ovk_mat *A, ovk_lidx i, ovk_lidx remote_row, ovk_lidx n,
                         const ovk_lidx *col, const double *val, entry_fn entry, void *arg)
{
  const ovk__csr *R = &A->remote;
  const ovk_gidx row = A->layout.first + i;
  int64_t k = remote_row < R->rows ? R->ptr[remote_row] : 0;
  const int64_t end =
      remote_row < R->rows && A->remote_rows[remote_row] == i ? R->ptr[remote_row + 1] : k;
  for (; k < end && A->ghosts.col[R->col[k]] < A->layout.first; k++) {
    OVK_TRY(entry(arg, row, A->ghosts.col[R->col[k]], R->val[k]));
  }
  for (ovk_lidx l = 0; l < n; l++) OVK_TRY(entry(arg, row, A->layout.first + col[l], val[l]));
  for (; k < end; k++) OVK_TRY(entry(arg, row, A->ghosts.col[R->col[k]], R->val[k]));
  return OVK_OK;
}

static ovk_err visit_rows(const ovk_mat *A, ovk_lidx *col, double *val, entry_fn entry, void *arg)
{
  ovk_lidx remote_row = 0;
  for (ovk_lidx i = 0; i < A->layout.local; i++) {
    const ovk_lidx n = A->format->row(A->local, i, col, val);
    OVK_TRY(visit_row(A, i, remote_row, n, col, val, entry, arg));
    if (remote_row < A->remote.rows && A->remote_rows[remote_row] == i) remote_row++;
  }
  return OVK_OK;
}

ovk_err ovk__mat_for_each_entry(const ovk_mat *A, entry_fn entry, void *arg)
{
  ovk_lidx longest = 0;
  for (ovk_lidx i = 0; i < A->layout.local; i++) {
    const ovk_lidx n = A->format->row(A->local, i, NULL, NULL);
    if (n > longest) longest = n;
  }
  ovk_lidx *col = ovk__array((size_t)longest, sizeof *col);
  double *val = ovk__array((size_t)longest, sizeof *val);
  const ovk_err err =
      col && val ? visit_rows(A, col, val, entry, arg)
                 : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for a row of %d entries", longest);
  free(col);
  free(val);
  return err;
}
