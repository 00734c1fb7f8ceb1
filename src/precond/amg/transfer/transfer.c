/* SPDX-License-Identifier: BSD-2-Clause */
/* Transfers between levels: sums over a column restrict, multiples of a column prolongate. */
#include "precond/amg/transfer/transfer.h"
#include "core/base/columns.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* Own and foreign columns. */
static ovk_lidx transfer_columns(const ovk__amg_transfer *T)
{
  return T->columns.own + T->columns.nforeign;
}

/* Moves ptr back by a column, after ptr[j] has been where the next entry of column j goes. */
static void transfer_restore_ptr(int64_t *ptr, ovk_lidx n)
{
  for (ovk_lidx j = n; j > 0; j--) ptr[j] = ptr[j - 1];
  ptr[0] = 0;
}

static ovk_err transfer_fill(ovk_ctx *ctx, const ovk__amg_entries *e, const ovk__layout *columns,
                             ovk__amg_transfer *T)
{
  const int64_t nnz = e->ptr[e->rows];
  ovk_lidx *col;
  T->rows = e->rows;
  OVK_TRY(ovk__amg_columns_create(ctx, columns, 1, &e, 1, &T->columns));
  const ovk_lidx n = transfer_columns(T);
  OVK_NEW_ZEROS(ctx, T->ptr, n + 1);
  OVK_NEW_ARRAY(ctx, T->row, nnz);
  OVK_NEW_ARRAY(ctx, T->val, nnz);
  OVK_NEW_ARRAY(ctx, col, nnz);
  for (int64_t k = 0; k < nnz; k++) {
    col[k] = ovk__amg_columns_local(&T->columns, e->col[k]);
    T->ptr[col[k] + 1]++;
  }
  for (ovk_lidx j = 0; j < n; j++) T->ptr[j + 1] += T->ptr[j];
  for (ovk_lidx i = 0; i < e->rows; i++) {
    for (int64_t k = e->ptr[i]; k < e->ptr[i + 1]; k++) {
      const int64_t at = T->ptr[col[k]]++;
      T->row[at] = i;
      T->val[at] = (float)e->val[k];
    }
  }
  transfer_restore_ptr(T->ptr, n);
  free(col);
  return OVK_OK;
}

static ovk_err transfer_order(ovk_ctx *ctx, const ovk__amg_entries *entries,
                              const ovk__layout *rows, const ovk__layout *columns,
                              ovk__amg_transfer *T)
{
  ovk__amg_entries transpose = {0};
  T->ordered = true;
  OVK_TRY(ovk__amg_ordered_rows_create(ctx, entries, columns, &T->P));
  ovk_err err = ovk__amg_entries_transpose(ctx, entries, rows, columns, &transpose);
  if (!err) err = ovk__amg_ordered_rows_create(ctx, &transpose, rows, &T->R);
  ovk__amg_entries_free(&transpose);
  return err;
}

ovk_err ovk__amg_transfer_connect(ovk_ctx *ctx, const ovk__layout *columns, ovk__amg_transfer *T)
{
  const ovk__amg_columns *c = &T->columns;
  ovk_gidx *first = NULL;
  ovk_err err = ovk__layout_gather(ctx, columns, &first);
  if (!err) err = ovk__halo_create(ctx, first, c->foreign, c->nforeign, T->width, &T->halo);
  free(first);
  if (err) return err;
  return ovk__amg_partial_sums_create(ctx, columns, c->foreign, c->nforeign, T->width, &T->sums);
}

ovk_err ovk__amg_transfer_create(ovk_ctx *ctx, const ovk__amg_entries *entries,
                                 const ovk__layout *rows, const ovk__layout *columns, bool ordered,
                                 ovk__amg_transfer *out)
{
  *out = (ovk__amg_transfer){.width = 1};
  OVK_TRY(ovk__agree(ctx, transfer_fill(ctx, entries, columns, out)));
  const ovk_err err = ovk__amg_transfer_connect(ctx, columns, out);
  return err || !ordered ? err : transfer_order(ctx, entries, rows, columns, out);
}

void ovk__amg_transfer_free(ovk__amg_transfer *T)
{
  free(T->ptr);
  free(T->row);
  free(T->val);
  ovk__amg_columns_free(&T->columns);
  ovk__halo_destroy(&T->halo);
  ovk__amg_partial_sums_free(&T->sums);
  ovk__amg_ordered_rows_free(&T->P);
  ovk__amg_ordered_rows_free(&T->R);
  *T = (ovk__amg_transfer){0};
}

/* y <- y + x times column j */
static void transfer_add_column(const ovk__amg_transfer *T, ovk_lidx j, double x, double *y)
{
  for (int64_t k = T->ptr[j]; k < T->ptr[j + 1]; k++) y[T->row[k]] += T->val[k] * x;
}

/* The same for columns `from` to end - 1 and vectors of w columns; x begins with that of `from`. */
OVK_ALWAYS_INLINE void transfer_add_of(int w, const ovk__amg_transfer *T, ovk_lidx from,
                                       ovk_lidx end, const double *restrict x, double *restrict y)
{
  for (ovk_lidx j = from; j < end; j++, x += w) {
    ovk__columns own, sum;
    ovk__columns_load(w, &own, x);
    for (int64_t k = T->ptr[j]; k < T->ptr[j + 1]; k++) {
      double *to = y + (ptrdiff_t)T->row[k] * w;
      ovk__columns_load(w, &sum, to);
      ovk__columns_add_scaled(w, &sum, T->val[k], &own);
      ovk__columns_store(w, to, &sum);
    }
  }
}

OVK_FOR_EACH_CPU
static void transfer_add(const ovk__amg_transfer *T, ovk_lidx from, ovk_lidx end, const double *x,
                         double *y)
{
  if (T->width > 1) {
    OVK__FOR_WIDTH(T->width, transfer_add_of, T, from, end, x, y);
  } else {
    for (ovk_lidx j = from; j < end; j++) transfer_add_column(T, j, x[j - from], y);
  }
}

/* The sum over column j. */
static double transfer_dot_column(const ovk__amg_transfer *T, ovk_lidx j, const double *x)
{
  double sum = 0;
  for (int64_t k = T->ptr[j]; k < T->ptr[j + 1]; k++) sum += T->val[k] * x[T->row[k]];
  return sum;
}

/* The same for columns `from` to end - 1 and vectors of w columns; y begins with that of `from`. */
OVK_ALWAYS_INLINE void transfer_dot_of(int w, const ovk__amg_transfer *T, ovk_lidx from,
                                       ovk_lidx end, const double *restrict x, double *restrict y)
{
  for (ovk_lidx j = from; j < end; j++, y += w) {
    ovk__columns sum;
    ovk__columns_zero(w, &sum);
    for (int64_t k = T->ptr[j]; k < T->ptr[j + 1]; k++) {
      ovk__columns_add_multiple(w, &sum, T->val[k], x + (ptrdiff_t)T->row[k] * w);
    }
    ovk__columns_store(w, y, &sum);
  }
}

OVK_FOR_EACH_CPU
static void transfer_dot(const ovk__amg_transfer *T, ovk_lidx from, ovk_lidx end, const double *x,
                         double *y)
{
  if (T->width > 1) {
    OVK__FOR_WIDTH(T->width, transfer_dot_of, T, from, end, x, y);
  } else {
    for (ovk_lidx j = from; j < end; j++) y[j - from] = transfer_dot_column(T, j, x);
  }
}

ovk_err ovk__amg_prolongate(const ovk__amg_transfer *T, const double *x, double *y, ovk_poll poll)
{
  const ovk_lidx own = T->columns.own;
  const double *ghosts;
  if (T->ordered) return ovk__amg_ordered_rows_mult(&T->P, true, x, y, poll);
  OVK_TRY(ovk__halo_begin_block(T->halo, x));
  for (ovk_lidx i = 0, end; i < own; i = end) {
    end = ovk_poll_until(poll, i, own);
    transfer_add(T, i, end, x + (ptrdiff_t)i * T->width, y);
    ovk_poll_call(poll);
    ovk__halo_progress(T->halo);
  }
  OVK_TRY(ovk__halo_end(T->halo, &ghosts));
  transfer_add(T, own, transfer_columns(T), ghosts, y);
  return OVK_OK;
}

ovk_err ovk__amg_restrict(const ovk__amg_transfer *T, const double *x, double *y, ovk_poll poll)
{
  const ovk_lidx own = T->columns.own;
  if (T->ordered) return ovk__amg_ordered_rows_mult(&T->R, false, x, y, poll);
  transfer_dot(T, own, transfer_columns(T), x, T->sums.part);
  OVK_TRY(ovk__amg_partial_sums_begin(&T->sums));
  for (ovk_lidx i = 0, end; i < own; i = end) {
    end = ovk_poll_until(poll, i, own);
    transfer_dot(T, i, end, x, y + (ptrdiff_t)i * T->width);
    ovk_poll_call(poll);
    ovk__halo_progress(T->sums.halo);
  }
  return ovk__amg_partial_sums_end(&T->sums, y);
}

/* Enters columns into the rows of `out`: ptr[i] is where the next entry of row i goes. */
static void entries_place(const ovk__amg_transfer *T, ovk_lidx from, ovk_lidx end,
                          ovk__amg_entries *out)
{
  for (ovk_lidx j = from; j < end; j++) {
    for (int64_t k = T->ptr[j]; k < T->ptr[j + 1]; k++) {
      const int64_t at = out->ptr[T->row[k]]++;
      out->col[at] = ovk__amg_columns_global(&T->columns, j);
      out->val[at] = T->val[k];
    }
  }
}

/* Columns of lower ranks, of this rank and of higher ranks. */
ovk_err ovk__amg_transfer_entries(ovk_ctx *ctx, const ovk__amg_transfer *T, ovk__amg_entries *out)
{
  const ovk_lidx own = T->columns.own, n = transfer_columns(T);
  const int64_t nnz = T->ptr[n];
  ovk_lidx higher = own;
  OVK_TRY(ovk__amg_entries_begin(ctx, T->rows, out));
  OVK_NEW_ARRAY(ctx, out->col, nnz);
  OVK_NEW_ARRAY(ctx, out->val, nnz);
  out->room = nnz;
  for (int64_t k = 0; k < nnz; k++) out->ptr[T->row[k] + 1]++;
  for (ovk_lidx i = 0; i < T->rows; i++) out->ptr[i + 1] += out->ptr[i];
  while (higher < n && ovk__amg_columns_global(&T->columns, higher) < T->columns.first) higher++;
  entries_place(T, own, higher, out);
  entries_place(T, 0, own, out);
  entries_place(T, higher, n, out);
  transfer_restore_ptr(out->ptr, T->rows);
  return OVK_OK;
}

int64_t ovk__amg_transfer_bytes(const ovk__amg_transfer *T)
{
  const ovk_lidx n = transfer_columns(T);
  if (!T->ptr) return 0;
  return (n + 1) * (int64_t)sizeof *T->ptr +
         T->ptr[n] * (int64_t)(sizeof *T->row + sizeof *T->val) +
         T->columns.nforeign * (int64_t)sizeof *T->columns.foreign +
         (T->halo ? ovk__halo_bytes(T->halo) : 0) + ovk__amg_partial_sums_bytes(&T->sums) +
         ovk__amg_ordered_rows_bytes(&T->P) + ovk__amg_ordered_rows_bytes(&T->R);
}
