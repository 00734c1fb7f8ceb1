/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows are lists of items: their numbers of blocks, then the blocks. All items have a coarse row of
 * the rank that receives them. */
#include "precond/amg/operators/remote_rows.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>

bool ovk__amg_remote_rows_mark(const ovk__amg_factor *P, ovk_lidx from, ovk_lidx to,
                               const ovk__amg_numbering *columns, bool *needed)
{
  bool any = false;
  for (ovk_lidx i = from; i < to; i++) {
    bool foreign = false;
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) {
      foreign |= !ovk__amg_numbering_owns(columns, P->group[k]);
    }
    needed[i - from] = foreign;
    any |= foreign;
  }
  return any;
}

static ovk_err remote_row_add_number(ovk_ctx *ctx, ovk__stash *stash, ovk_gidx row, ovk_gidx col,
                                     double value)
{
  return ovk__stash_add(ctx, stash, (ovk__entry){.row = row, .col = col, .value = value});
}

/* Adds the row for the rank of its blocks k to end - 1 of P. */
static ovk_err remote_row_add(ovk_ctx *ctx, const ovk__amg_product *AP, ovk_lidx i, int64_t k,
                              int64_t end, const ovk_gidx *global, ovk__stash *stash)
{
  const int size = AP->size;
  const ovk__amg_factor *P = &AP->own;
  const int64_t *ptr = AP->ptr + (i - AP->from);
  const ovk_gidx row = global[P->group[k]] * size;
  OVK_TRY(remote_row_add_number(ctx, stash, row, end - k, (double)(ptr[1] - ptr[0])));
  for (; k < end; k++) {
    for (int c = 0; c < size; c++) {
      const double value = size == 1 ? P->number[k] : (double)P->several[k * size + c];
      OVK_TRY(remote_row_add_number(ctx, stash, row, global[P->group[k]] * size + c, value));
    }
  }
  for (int64_t l = ptr[0]; l < ptr[1]; l++) {
    for (int c = 0; c < size; c++) {
      OVK_TRY(remote_row_add_number(ctx, stash, row, global[AP->group[l]] * size + c,
                                    AP->val[l * size + c]));
    }
  }
  return OVK_OK;
}

ovk_err ovk__amg_remote_rows_add(ovk_ctx *ctx, const ovk__amg_product *AP, ovk_lidx i,
                                 const ovk__amg_numbering *columns, const ovk_gidx *first,
                                 ovk__stash *stash)
{
  const ovk__amg_factor *P = &AP->own;
  const ovk_gidx *global = columns->global;
  for (int64_t k = P->ptr[i], end; k < P->ptr[i + 1]; k = end) {
    const int owner = ovk__layout_owner(first, ctx->size, global[P->group[k]] * AP->size);
    const ovk_gidx next = first[owner + 1];
    for (end = k + 1; end < P->ptr[i + 1] && global[P->group[end]] * AP->size < next;) end++;
    if (owner == ctx->rank) continue;
    OVK_TRY(remote_row_add(ctx, AP, i, k, end, global, stash));
  }
  return OVK_OK;
}

/* A row as it is received: `size` items for each block, whose values are its numbers. The columns
 * are those of the whole problem; that of the first item of a block is a multiple of `size`. */
typedef struct remote_row {
  ovk_lidx nP, nAP;         /* blocks */
  const ovk__entry *P, *AP; /* of own columns; of all columns */
} remote_row;

/* *out <- the row that begins with an item; returns the item after it. */
static const ovk__entry *remote_row_read(const ovk__entry *item, int size, remote_row *out)
{
  out->nP = (ovk_lidx)item->col;
  out->nAP = (ovk_lidx)item->value;
  out->P = item + 1;
  out->AP = out->P + (ptrdiff_t)out->nP * size;
  return out->AP + (ptrdiff_t)out->nAP * size;
}

ovk_err ovk__amg_remote_rows_number(ovk_ctx *ctx, const ovk__neighbor_messages *in, int size,
                                    ovk__amg_numbering *columns)
{
  const ovk__entry *item = in->items, *end = in->total ? item + in->total : item;
  ovk_lidx n = 0;
  ovk_gidx *col;
  OVK_CHECK(in->total < INT32_MAX, ctx, OVK_ERR_RANGE,
            "amg: other ranks have %zu numbers for the rows of a rank, 2^31 - 2 are the most",
            in->total);
  OVK_NEW_ARRAY(ctx, col, in->total);
  while (item != end) {
    remote_row row;
    item = remote_row_read(item, size, &row);
    for (ovk_lidx k = 0; k < row.nAP; k++) col[n++] = row.AP[(ptrdiff_t)k * size].col / size;
  }
  const ovk_err err = ovk__amg_numbering_extend(ctx, columns, col, n);
  free(col);
  return err;
}

/* Adds the products of a block of P to the open row. */
static ovk_err remote_row_multiply(const remote_row *row, const ovk__entry *P, ovk__amg_part part,
                                   ovk__amg_sums *sums)
{
  const int size = sums->size;
  for (ovk_lidx k = 0; k < row->nAP; k++) {
    const ovk__entry *AP = row->AP + (ptrdiff_t)k * size;
    double *block;
    if (part == OVK__AMG_UPPER && AP->col < P->col) continue;
    OVK_TRY(ovk__amg_sums_block(sums, ovk__amg_numbering_local(sums->columns, AP->col / size),
                                (ptrdiff_t)size * size, &block));
    for (int l = 0; l < size; l++) {
      for (int c = 0; c < size; c++) *block++ += P[l].value * AP[c].value;
    }
  }
  return OVK_OK;
}

static ovk_err remote_row_sum(const remote_row *row, ovk_gidx first, ovk__amg_part part,
                              ovk__amg_sums *sums)
{
  ovk_err err = OVK_OK;
  for (ovk_lidx k = 0; k < row->nP && !err; k++) {
    const ovk__entry *P = row->P + (ptrdiff_t)k * sums->size;
    ovk__amg_sums_open(sums, (ovk_lidx)(P->col - first) / sums->size);
    err = remote_row_multiply(row, P, part, sums);
    ovk__amg_sums_close(sums);
  }
  return err;
}

ovk_err ovk__amg_remote_rows_sum(const ovk__neighbor_messages *in, bool lower, ovk_gidx first,
                                 ovk__amg_part part, ovk__amg_sums *sums)
{
  const ovk__entry *item = in->items;
  for (int m = 0; m < in->n; m++) {
    const ovk__entry *end = item + in->list[m].count;
    while (item != end) {
      remote_row row;
      item = remote_row_read(item, sums->size, &row);
      if ((in->list[m].rank < ovk_ctx_rank(sums->ctx)) != lower) continue;
      OVK_TRY(remote_row_sum(&row, first, part, sums));
    }
  }
  return OVK_OK;
}
