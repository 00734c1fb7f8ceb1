/* SPDX-License-Identifier: BSD-2-Clause */
/* Transfers in the order of the whole problem, which no sum of parts of ranks has. */
#include "precond/amg/transfer/ordered_rows.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>

static ovk_err ordered_rows_fill(ovk_ctx *ctx, const ovk__amg_entries *e,
                                 const ovk__layout *columns, ovk__amg_ordered_rows *R)
{
  const int64_t nnz = e->ptr[e->rows];
  R->rows = e->rows;
  OVK_TRY(ovk__amg_columns_create(ctx, columns, 1, &e, 1, &R->columns));
  OVK_NEW_ARRAY(ctx, R->ptr, (size_t)e->rows + 1);
  OVK_NEW_ARRAY(ctx, R->col, nnz);
  OVK_NEW_ARRAY(ctx, R->val, nnz);
  for (ovk_lidx i = 0; i <= e->rows; i++) R->ptr[i] = e->ptr[i];
  for (int64_t k = 0; k < nnz; k++) {
    R->col[k] = ovk__amg_columns_local(&R->columns, e->col[k]);
    R->val[k] = (float)e->val[k];
  }
  return OVK_OK;
}

ovk_err ovk__amg_ordered_rows_create(ovk_ctx *ctx, const ovk__amg_entries *entries,
                                     const ovk__layout *columns, ovk__amg_ordered_rows *out)
{
  ovk_gidx *first = NULL;
  *out = (ovk__amg_ordered_rows){0};
  OVK_TRY(ovk__agree(ctx, ordered_rows_fill(ctx, entries, columns, out)));
  const ovk__amg_columns *c = &out->columns;
  ovk_err err = ovk__layout_gather(ctx, columns, &first);
  if (!err) err = ovk__halo_create(ctx, first, c->foreign, c->nforeign, 1, &out->halo);
  free(first);
  return err;
}

void ovk__amg_ordered_rows_free(ovk__amg_ordered_rows *R)
{
  free(R->ptr);
  free(R->col);
  free(R->val);
  ovk__amg_columns_free(&R->columns);
  ovk__halo_destroy(&R->halo);
  *R = (ovk__amg_ordered_rows){0};
}

ovk_err ovk__amg_ordered_rows_mult(const ovk__amg_ordered_rows *R, bool add, const double *x,
                                   double *y, ovk_poll poll)
{
  const ovk_lidx own = R->columns.own;
  const double *ghosts;
  OVK_TRY(ovk__halo_begin(R->halo, &x));
  OVK_TRY(ovk__halo_end(R->halo, &ghosts));
  for (ovk_lidx from = 0, end; from < R->rows; from = end) {
    end = ovk_poll_until(poll, from, R->rows);
    for (ovk_lidx i = from; i < end; i++) {
      double sum = 0;
      for (int64_t k = R->ptr[i]; k < R->ptr[i + 1]; k++) {
        const ovk_lidx j = R->col[k];
        sum += R->val[k] * (j < own ? x[j] : ghosts[j - own]);
      }
      y[i] = add ? y[i] + sum : sum;
    }
    ovk_poll_call(poll);
  }
  return OVK_OK;
}

int64_t ovk__amg_ordered_rows_bytes(const ovk__amg_ordered_rows *R)
{
  const int64_t entry = (int64_t)(sizeof *R->col + sizeof *R->val);
  if (!R->ptr) return 0;
  return R->ptr[R->rows] * entry + (R->rows + 1) * (int64_t)sizeof *R->ptr +
         R->columns.nforeign * (int64_t)sizeof *R->columns.foreign +
         (R->halo ? ovk__halo_bytes(R->halo) : 0);
}
