/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of rows of the local block, as the sample of features reads them. */
#ifndef OVK_PRECOND_AUTO_LOCAL_ROW_H
#define OVK_PRECOND_AUTO_LOCAL_ROW_H

#include "core/context/mem.h"
#include "matrix/mat_impl.h"

#include <stdlib.h>

/* A row of the local block; columns increase. */
typedef struct local_row {
  ovk_lidx i, n, room;
  ovk_lidx *col;
  double *val, diagonal;
} local_row;

/* Row i of the local block, in memory that is reused. Errors are those of this rank. */
static inline ovk_err local_row_read(const ovk_mat *A, ovk_lidx i, local_row *row)
{
  row->i = i;
  row->n = A->format->row(A->local, i, NULL, NULL);
  if (row->n > row->room) {
    free(row->col);
    free(row->val);
    row->col = NULL;
    row->val = NULL;
    row->room = 0;
    OVK_NEW_ARRAY(A->ctx, row->col, row->n);
    OVK_NEW_ARRAY(A->ctx, row->val, row->n);
    row->room = row->n;
  }
  A->format->row(A->local, i, row->col, row->val);
  row->diagonal = 0;
  for (ovk_lidx k = 0; k < row->n; k++) row->diagonal += row->col[k] == i ? row->val[k] : 0;
  return OVK_OK;
}

/* Whether there is an entry of column j; *value <- that, or 0. */
static inline bool local_row_has(const local_row *row, ovk_lidx j, double *value)
{
  *value = 0;
  for (ovk_lidx k = 0; k < row->n && row->col[k] <= j; k++) {
    if (row->col[k] == j) *value = row->val[k];
    if (row->col[k] == j) return true;
  }
  return false;
}

#endif
