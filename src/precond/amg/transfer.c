/* SPDX-License-Identifier: BSD-2-Clause */
/* Transfers between levels. */
#include "precond/amg/transfer.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>

static ovk_err part_allocate(ovk_ctx *ctx, ovk_lidx rows, int64_t nnz, ovk__amg_part *part)
{
  OVK_NEW_ZEROS(ctx, part->ptr, rows + 1);
  OVK_NEW_ARRAY(ctx, part->col, nnz);
  OVK_NEW_ARRAY(ctx, part->val, nnz);
  return OVK_OK;
}

static void part_free(ovk__amg_part *part)
{
  free(part->ptr);
  free(part->col);
  free(part->val);
}

static int64_t transfer_count_ghosts(const ovk__amg_transfer *T, const ovk__amg_entries *e)
{
  int64_t n = 0;
  for (int64_t k = 0; k < e->ptr[e->rows]; k++) n += !ovk__amg_columns_owns(&T->columns, e->col[k]);
  return n;
}

/* Splits the entries. */
static ovk_err transfer_split(ovk_ctx *ctx, const ovk__amg_entries *e, ovk__amg_transfer *T)
{
  const int64_t nnz = transfer_count_ghosts(T, e);
  int64_t own = 0, ghost = 0;
  OVK_TRY(part_allocate(ctx, e->rows, e->ptr[e->rows] - nnz, &T->own));
  OVK_TRY(part_allocate(ctx, (ovk_lidx)(nnz < e->rows ? nnz : e->rows), nnz, &T->ghost));
  OVK_NEW_ARRAY(ctx, T->ghost_row, nnz < e->rows ? nnz : e->rows);
  for (ovk_lidx i = 0; i < e->rows; i++) {
    const int64_t before = ghost;
    for (int64_t k = e->ptr[i]; k < e->ptr[i + 1]; k++) {
      const ovk_lidx col = ovk__amg_columns_local(&T->columns, e->col[k]);
      if (col < T->columns.own) {
        T->own.col[own] = col;
        T->own.val[own++] = (float)e->val[k];
      } else {
        T->ghost.col[ghost] = col - T->columns.own;
        T->ghost.val[ghost++] = (float)e->val[k];
      }
    }
    T->own.ptr[i + 1] = own;
    if (ghost == before) continue;
    T->ghost_row[T->nghost_rows++] = i;
    T->ghost.ptr[T->nghost_rows] = ghost;
  }
  return OVK_OK;
}

static ovk_err transfer_fill(ovk_ctx *ctx, const ovk__amg_entries *e, const ovk__layout *columns,
                             ovk__amg_transfer *T)
{
  T->rows = e->rows;
  OVK_TRY(ovk__amg_columns_create(ctx, columns, 1, &e, 1, &T->columns));
  return transfer_split(ctx, e, T);
}

ovk_err ovk__amg_transfer_create(ovk_ctx *ctx, const ovk__amg_entries *entries,
                                 const ovk__layout *columns, ovk__amg_transfer *out)
{
  ovk_gidx *first = NULL;
  *out = (ovk__amg_transfer){0};
  OVK_TRY(ovk__agree(ctx, transfer_fill(ctx, entries, columns, out)));
  ovk_err err = ovk__layout_gather(ctx, columns, &first);
  if (!err)
    err = ovk__halo_create(ctx, first, out->columns.foreign, out->columns.nforeign, 1, &out->halo);
  free(first);
  return err;
}

void ovk__amg_transfer_free(ovk__amg_transfer *T)
{
  part_free(&T->own);
  part_free(&T->ghost);
  free(T->ghost_row);
  ovk__amg_columns_free(&T->columns);
  ovk__halo_destroy(&T->halo);
  *T = (ovk__amg_transfer){0};
}

static double part_row(const ovk__amg_part *part, ovk_lidx i, const double *x)
{
  double sum = 0;
  for (int64_t k = part->ptr[i]; k < part->ptr[i + 1]; k++) sum += part->val[k] * x[part->col[k]];
  return sum;
}

/* The rows with columns of this rank, while the exchange is in progress. */
static void transfer_mult_own(const ovk__amg_transfer *T, const double *x, double *y, bool add,
                              ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < T->rows; i = end) {
    end = ovk_poll_until(poll, i, T->rows);
    for (ovk_lidx k = i; k < end; k++) y[k] = (add ? y[k] : 0) + part_row(&T->own, k, x);
    ovk_poll_call(poll);
    ovk__halo_progress(T->halo);
  }
}

ovk_err ovk__amg_transfer_mult(const ovk__amg_transfer *T, const double *x, double *y, bool add,
                               ovk_poll poll)
{
  const double *ghosts;
  OVK_TRY(ovk__halo_begin(T->halo, &x));
  transfer_mult_own(T, x, y, add, poll);
  OVK_TRY(ovk__halo_end(T->halo, &ghosts));
  for (ovk_lidx k = 0; k < T->nghost_rows; k++)
    y[T->ghost_row[k]] += part_row(&T->ghost, k, ghosts);
  return OVK_OK;
}

/* Appends the entries of a row: own columns, whose numbers start at `shift`, or those of `ghosts`
 * before it, or after it. */
static ovk_err entries_append_part(ovk_ctx *ctx, const ovk__amg_part *part, ovk_lidx row,
                                   const ovk_gidx *ghosts, ovk_gidx shift, bool after,
                                   ovk__amg_entries *out, int64_t *at)
{
  for (int64_t k = part->ptr[row]; k < part->ptr[row + 1]; k++) {
    const ovk_gidx col = ghosts ? ghosts[part->col[k]] : shift + part->col[k];
    if (ghosts && (col >= shift) != after) continue;
    OVK_TRY(ovk__amg_entries_append(ctx, out, (*at)++, col, part->val[k]));
  }
  return OVK_OK;
}

/* Columns of lower ranks, own ones, those of higher ranks. */
ovk_err ovk__amg_transfer_entries(ovk_ctx *ctx, const ovk__amg_transfer *T, ovk__amg_entries *out)
{
  const ovk_gidx first = T->columns.first;
  int64_t at = 0;
  OVK_TRY(ovk__amg_entries_begin(ctx, T->rows, out));
  for (ovk_lidx i = 0, g = 0; i < T->rows; i++) {
    const bool ghost = g < T->nghost_rows && T->ghost_row[g] == i;
    if (ghost)
      OVK_TRY(entries_append_part(ctx, &T->ghost, g, T->columns.foreign, first, false, out, &at));
    OVK_TRY(entries_append_part(ctx, &T->own, i, NULL, first, false, out, &at));
    if (ghost)
      OVK_TRY(entries_append_part(ctx, &T->ghost, g, T->columns.foreign, first, true, out, &at));
    g += ghost;
    out->ptr[i + 1] = at;
  }
  return OVK_OK;
}

static int64_t part_bytes(const ovk__amg_part *part, ovk_lidx rows)
{
  return part->ptr ? (rows + 1) * (int64_t)sizeof *part->ptr +
                         part->ptr[rows] * (int64_t)(sizeof *part->col + sizeof *part->val)
                   : 0;
}

int64_t ovk__amg_transfer_bytes(const ovk__amg_transfer *T)
{
  return part_bytes(&T->own, T->rows) + part_bytes(&T->ghost, T->nghost_rows) +
         T->nghost_rows * (int64_t)sizeof *T->ghost_row +
         T->columns.nforeign * (int64_t)sizeof *T->columns.foreign +
         (T->halo ? ovk__halo_bytes(T->halo) : 0);
}
