/* SPDX-License-Identifier: BSD-2-Clause */
/* Transfers between levels: sums over a column restrict, multiples of a column prolongate. */
#include "precond/amg/transfer/transfer.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/formats/sell/sell_rectangle.h"

#include <stdlib.h>

/* Drops the foreign columns of rows of P. */
static void transfer_drop_foreign(ovk_lidx own, ovk__csr *rows)
{
  int64_t at = 0, k = 0;
  for (ovk_lidx i = 0; i < rows->rows; i++) {
    const int64_t end = rows->ptr[i + 1];
    for (; k < end; k++) {
      rows->col[at] = rows->col[k];
      rows->val[at] = rows->val[k];
      at += rows->col[at] < own;
    }
    rows->ptr[i + 1] = at;
  }
}

/* *out <- the foreign columns of rows of P as rows; those below `own` are of this rank. */
static ovk_err transfer_foreign(ovk_ctx *ctx, const ovk__csr *rows, ovk_lidx own, ovk_lidx n,
                                ovk__csr *out)
{
  const ovk_lidx *col = rows->col;
  const int64_t nnz = n ? ovk__csr_nnz(rows) : 0;
  int64_t count = 0;
  for (int64_t k = 0; k < nnz; k++) count += col[k] >= own;
  OVK_TRY(ovk__csr_alloc(ctx, n, count, out));
  int64_t *ptr = out->ptr;
  for (ovk_lidx j = 0; j < n; j++) ptr[j + 1] = 0;
  for (int64_t k = 0; k < nnz; k++) {
    if (col[k] >= own) ptr[col[k] - own + 1]++;
  }
  for (ovk_lidx j = 0; j < n; j++) ptr[j + 1] += ptr[j];
  for (ovk_lidx i = 0; i < rows->rows && n; i++) {
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      if (col[k] < own) continue;
      const int64_t at = ptr[col[k] - own]++;
      out->col[at] = i;
      out->val[at] = rows->val[k];
    }
  }
  for (ovk_lidx j = n; j > 0; j--) ptr[j] = ptr[j - 1];
  ptr[0] = 0;
  return OVK_OK;
}

static ovk_err transfer_store(ovk_ctx *ctx, ovk__csr *rows, ovk__amg_transfer *T)
{
  const ovk_lidx own = T->columns.own;
  ovk__csr foreign = {0};
  ovk_err err = transfer_foreign(ctx, rows, own, T->columns.nforeign, &foreign);
  if (!err) err = ovk__sell_rectangle_create(ctx, &foreign, &T->foreign);
  if (!err) {
    transfer_drop_foreign(own, rows);
    err = ovk__sell_rectangle_create(ctx, rows, &T->own);
  }
  ovk__csr_free(&foreign);
  return err;
}

/* The columns of this rank need half of the memory of those of the whole problem, so they take
 * their place. */
static ovk_err transfer_fill(ovk_ctx *ctx, ovk__amg_entries *e, const ovk__layout *columns,
                             ovk__amg_transfer *T)
{
  const int64_t nnz = e->ptr[e->rows];
  T->rows = e->rows;
  OVK_TRY(
      ovk__amg_columns_create(ctx, columns, 1, (const ovk__amg_entries *[]){e}, 1, &T->columns));
  ovk__csr rows = {.rows = e->rows, .ptr = e->ptr, .col = (ovk_lidx *)e->col, .val = e->val};
  for (int64_t k = 0; k < nnz; k++) {
    const ovk_gidx col = e->col[k];
    rows.col[k] = ovk__amg_columns_local(&T->columns, col);
  }
  *e = (ovk__amg_entries){0};
  const ovk_err err = transfer_store(ctx, &rows, T);
  ovk__csr_free(&rows);
  return err;
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

ovk_err ovk__amg_transfer_create(ovk_ctx *ctx, ovk__amg_entries *entries, const ovk__layout *rows,
                                 const ovk__layout *columns, bool ordered, ovk__amg_transfer *out)
{
  *out = (ovk__amg_transfer){.width = 1};
  if (ordered) OVK_TRY(transfer_order(ctx, entries, rows, columns, out));
  OVK_TRY(ovk__agree(ctx, transfer_fill(ctx, entries, columns, out)));
  return ovk__amg_transfer_connect(ctx, columns, out);
}

void ovk__amg_transfer_free(ovk__amg_transfer *T)
{
  ovk__sell_rectangle_destroy(&T->own);
  ovk__sell_rectangle_destroy(&T->foreign);
  ovk__amg_columns_free(&T->columns);
  ovk__halo_destroy(&T->halo);
  ovk__amg_partial_sums_free(&T->sums);
  ovk__amg_ordered_rows_free(&T->P);
  ovk__amg_ordered_rows_free(&T->R);
  *T = (ovk__amg_transfer){0};
}

/* Progresses an exchange during the caller's polls. */
typedef struct transfer_progress {
  ovk__halo *halo;
  ovk_poll callers;
} transfer_progress;

static void transfer_advance(void *arg)
{
  const transfer_progress *p = arg;
  ovk__halo_progress(p->halo);
  ovk_poll_call(p->callers);
}

static ovk_poll transfer_poll(transfer_progress *p)
{
  return p->callers.progress ? (ovk_poll){transfer_advance, p, p->callers.every} : p->callers;
}

ovk_err ovk__amg_prolongate(const ovk__amg_transfer *T, const double *x, double *y, ovk_poll poll)
{
  transfer_progress progress = {T->halo, poll};
  const double *ghosts;
  if (T->ordered) return ovk__amg_ordered_rows_mult(&T->P, true, x, y, poll);
  OVK_TRY(ovk__halo_begin_block(T->halo, x));
  ovk__sell_rectangle_add(T->own, T->width, x, y, transfer_poll(&progress));
  OVK_TRY(ovk__halo_end(T->halo, &ghosts));
  ovk__sell_rectangle_add_transpose(T->foreign, T->width, ghosts, y, ovk_poll_none());
  return OVK_OK;
}

/* y <- 0 for coarse rows */
static void transfer_clear(const ovk__amg_transfer *T, ovk_lidx rows, double *y)
{
  for (ptrdiff_t i = 0; i < (ptrdiff_t)rows * T->width; i++) y[i] = 0;
}

ovk_err ovk__amg_restrict(const ovk__amg_transfer *T, const double *x, double *y, ovk_poll poll)
{
  transfer_progress progress = {T->sums.halo, poll};
  if (T->ordered) return ovk__amg_ordered_rows_mult(&T->R, false, x, y, poll);
  transfer_clear(T, T->columns.nforeign, T->sums.part);
  ovk__sell_rectangle_add(T->foreign, T->width, x, T->sums.part, ovk_poll_none());
  OVK_TRY(ovk__amg_partial_sums_begin(&T->sums));
  transfer_clear(T, T->columns.own, y);
  ovk__sell_rectangle_add_transpose(T->own, T->width, x, y, transfer_poll(&progress));
  return ovk__amg_partial_sums_end(&T->sums, y);
}

/* Where the entries of rows of P go: out->ptr[i] is the place of the next one of row i. */
typedef struct entries_writer {
  const ovk__amg_transfer *T;
  ovk__amg_entries *out;
} entries_writer;

static void entries_write_own(void *arg, ovk_lidx i, ovk__sell_row row)
{
  const entries_writer *w = arg;
  const ovk__sell *b = w->T->own;
  const ovk_gidx first = w->T->columns.first + b->origin[i / OVK__SORT_WINDOW];
  int64_t k = row.first;
  for (ovk_lidx l = 0; l < row.n; l++, k += row.step) {
    const int64_t at = w->out->ptr[i]++;
    w->out->col[at] = first + ovk__entries_column(&b->entries, b->entries.near, k);
    w->out->val[at] = b->entries.narrow[k];
  }
}

/* The foreign columns `from` to end - 1. */
static void entries_write_foreign(const entries_writer *w, ovk_lidx from, ovk_lidx end)
{
  const ovk__sell *b = w->T->foreign;
  for (ovk_lidx j = from; j < end; j++) {
    const ovk__sell_row column = ovk__windows_find(&b->windows, j);
    const ovk_lidx origin = b->origin[j / OVK__SORT_WINDOW];
    int64_t k = column.first;
    for (ovk_lidx l = 0; l < column.n; l++, k += column.step) {
      const ovk_lidx i = origin + ovk__entries_column(&b->entries, b->entries.near, k);
      const int64_t at = w->out->ptr[i]++;
      w->out->col[at] = w->T->columns.foreign[j];
      w->out->val[at] = b->entries.narrow[k];
    }
  }
}

static void entries_count_foreign(const ovk__sell *b, int64_t *ptr)
{
  for (ovk_lidx w = 0; w < b->windows.n; w++) {
    for (int64_t k = b->windows.entry[w]; k < b->windows.entry[w + 1]; k++) {
      ptr[b->origin[w] + ovk__entries_column(&b->entries, b->entries.near, k) + 1]++;
    }
  }
}

/* Columns of lower ranks, of this rank and of higher ranks. */
ovk_err ovk__amg_transfer_entries(ovk_ctx *ctx, const ovk__amg_transfer *T, ovk__amg_entries *out)
{
  const ovk__amg_columns *c = &T->columns;
  entries_writer writer = {T, out};
  ovk_lidx lower = 0;
  OVK_TRY(ovk__amg_entries_begin(ctx, T->rows, out));
  ovk__windows_lengths(&T->own->windows, 0, T->rows, out->ptr + 1);
  entries_count_foreign(T->foreign, out->ptr);
  for (ovk_lidx i = 0; i < T->rows; i++) out->ptr[i + 1] += out->ptr[i];
  OVK_NEW_ARRAY(ctx, out->col, out->ptr[T->rows]);
  OVK_NEW_ARRAY(ctx, out->val, out->ptr[T->rows]);
  out->room = out->ptr[T->rows];
  while (lower < c->nforeign && c->foreign[lower] < c->first) lower++;
  entries_write_foreign(&writer, 0, lower);
  ovk__windows_for_each(&T->own->windows, 0, T->rows, entries_write_own, &writer);
  entries_write_foreign(&writer, lower, c->nforeign);
  for (ovk_lidx i = T->rows; i > 0; i--) out->ptr[i] = out->ptr[i - 1];
  out->ptr[0] = 0;
  return OVK_OK;
}

int64_t ovk__amg_transfer_bytes(const ovk__amg_transfer *T)
{
  if (!T->own || !T->foreign) return 0;
  return ovk__sell_rectangle_bytes(T->own) + ovk__sell_rectangle_bytes(T->foreign) +
         T->columns.nforeign * (int64_t)sizeof *T->columns.foreign +
         (T->halo ? ovk__halo_bytes(T->halo) : 0) + ovk__amg_partial_sums_bytes(&T->sums) +
         ovk__amg_ordered_rows_bytes(&T->P) + ovk__amg_ordered_rows_bytes(&T->R);
}
