/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies the rows of a level, and exchanges values of ghosts. */
#include "precond/amg/setup/rows.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

/* Appends a row; the columns are those of the whole problem, and increase. */
static ovk_err rows_append(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                           const double *val)
{
  ovk__amg_rows *rows = arg;
  const ovk__layout *layout = &rows->A->layout;
  const ovk_lidx row = (ovk_lidx)(i - layout->first);
  int64_t at = rows->ptr[row];
  for (ovk_lidx k = 0; k < n; k++, at++) {
    const ovk_gidx j = col[k] - layout->first;
    const bool own = j >= 0 && j < rows->n;
    rows->col[at] = own ? (ovk_lidx)j : rows->n + ovk__ghosts_find(&rows->A->ghosts, col[k]);
    rows->val[at] = val[k];
    if (j == row) rows->diagonal[row] = val[k];
  }
  rows->ptr[row + 1] = at;
  return OVK_OK;
}

ovk_err ovk__amg_rows_create(const ovk_mat *A, ovk__amg_rows *out)
{
  const ovk_lidx n = A->layout.local;
  const int64_t nnz = A->local_nnz + ovk__csr_nnz(&A->remote);
  *out = (ovk__amg_rows){.A = A, .n = n, .all = n + A->ghosts.count};
  OVK_NEW_ZEROS(A->ctx, out->ptr, n + 1);
  OVK_NEW_ARRAY(A->ctx, out->col, nnz);
  OVK_NEW_ARRAY(A->ctx, out->val, nnz);
  OVK_NEW_ZEROS(A->ctx, out->diagonal, n);
  return ovk_mat_local_rows(A, rows_append, out);
}

void ovk__amg_rows_free(ovk__amg_rows *rows)
{
  free(rows->ptr);
  free(rows->col);
  free(rows->val);
  free(rows->diagonal);
  *rows = (ovk__amg_rows){0};
}

ovk_err ovk__amg_rows_exchange(const ovk__amg_rows *rows, double *values)
{
  const double *own = values, *ghosts = NULL;
  ovk_err err = ovk__halo_begin(rows->A->halo, &own);
  if (!err) err = ovk__halo_end(rows->A->halo, &ghosts);
  OVK_TRY(ovk__agree(rows->A->ctx, err));
  const size_t count = (size_t)rows->A->ghosts.count;
  if (count) memcpy(values + rows->n, ghosts, count * sizeof *values);
  return OVK_OK;
}
