/* SPDX-License-Identifier: BSD-2-Clause */
/* Each row of A P is summed in a dense array, from the last column of A to the first. */
#include "precond/amg/operators/product.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* The end of the entries of a group that begins with entry k of a row, which ends before `end`. */
static inline int64_t factor_end_of_group(const ovk__amg_entries *e, int size, int64_t k,
                                          int64_t end)
{
  const ovk_gidx next = (e->col[k] / size + 1) * size;
  do {
    k++;
  } while (k < end && e->col[k] < next);
  return k;
}

/* Counts the blocks of each row. */
static ovk_err factor_count(ovk_ctx *ctx, const ovk__amg_entries *e, int size, ovk__amg_factor *out)
{
  OVK_NEW_ARRAY(ctx, out->blocks, (int64_t)e->rows + 1);
  out->blocks[0] = 0;
  for (ovk_lidx i = 0; i < e->rows; i++) {
    const int64_t end = e->ptr[i + 1];
    int64_t n = out->blocks[i];
    for (int64_t k = e->ptr[i]; k < end; n++) k = factor_end_of_group(e, size, k, end);
    out->blocks[i + 1] = n;
  }
  out->ptr = out->blocks;
  return OVK_OK;
}

/* Makes blocks of several numbers. */
static ovk_err factor_fill(ovk_ctx *ctx, const ovk__amg_entries *e,
                           const ovk__amg_numbering *columns, int size, ovk__amg_factor *out)
{
  int64_t block = 0;
  OVK_TRY(factor_count(ctx, e, size, out));
  OVK_NEW_ARRAY(ctx, out->group, out->ptr[e->rows]);
  OVK_NEW_ARRAY(ctx, out->several, out->ptr[e->rows] * size);
  for (ovk_lidx i = 0; i < e->rows; i++) {
    for (int64_t k = e->ptr[i]; k < e->ptr[i + 1]; block++) {
      const int64_t end = factor_end_of_group(e, size, k, e->ptr[i + 1]);
      const ovk_gidx group = e->col[k] / size;
      float *several = out->several + block * size;
      out->group[block] = ovk__amg_numbering_local(columns, group);
      for (int c = 0; c < size; c++) several[c] = 0;
      for (; k < end; k++) several[e->col[k] - group * size] = (float)e->val[k];
    }
  }
  return OVK_OK;
}

static ovk_err factor_create(ovk_ctx *ctx, const ovk__amg_entries *e,
                             const ovk__amg_numbering *columns, int size, ovk__amg_factor *out)
{
  const int64_t nnz = e->ptr[e->rows];
  if (size > 1) return factor_fill(ctx, e, columns, size, out);
  *out = (ovk__amg_factor){.ptr = e->ptr, .number = e->val};
  OVK_NEW_ARRAY(ctx, out->group, nnz);
  for (int64_t k = 0; k < nnz; k++) out->group[k] = ovk__amg_numbering_local(columns, e->col[k]);
  return OVK_OK;
}

static void factor_free(ovk__amg_factor *factor)
{
  free(factor->blocks);
  free(factor->group);
  free(factor->several);
}

ovk_err ovk__amg_product_create(ovk__amg_rows *rows, const ovk__amg_entries *own,
                                const ovk__amg_entries *ghosts, const ovk__amg_numbering *columns,
                                int size, ovk__amg_product *out)
{
  ovk_ctx *ctx = rows->A->ctx;
  *out = (ovk__amg_product){.rows = rows, .size = size};
  OVK_TRY(factor_create(ctx, own, columns, size, &out->own));
  OVK_TRY(factor_create(ctx, ghosts, columns, size, &out->ghosts));
  OVK_NEW_ZEROS(ctx, out->value, (int64_t)columns->n * size);
  OVK_NEW_ZEROS(ctx, out->in_use, columns->n);
  OVK_NEW_ARRAY(ctx, out->used, columns->n + 1);
  OVK_NEW_ARRAY(ctx, out->ptr, OVK__AMG_BAND + 1);
  return OVK_OK;
}

void ovk__amg_product_free(ovk__amg_product *product)
{
  factor_free(&product->own);
  factor_free(&product->ghosts);
  free(product->value);
  free(product->in_use);
  free(product->used);
  free(product->ptr);
  free(product->group);
  free(product->val);
  *product = (ovk__amg_product){0};
}

/* Whether column j of row i is left of the diagonal. */
static inline bool product_is_lower(const ovk__amg_rows *A, ovk_lidx i, ovk_lidx j)
{
  return j < A->n ? j < i : A->A->ghosts.col[j - A->n] < A->first;
}

/* Sums row i; returns the number of groups in use. A group is written after the last one even if it
 * is in use already, as a branch here would often be mispredicted. `size` is that of a group. */
OVK_ALWAYS_INLINE ovk_lidx product_sum_row(const ovk__amg_product *p, ovk_lidx i, bool half,
                                           ptrdiff_t size)
{
  const ovk__amg_rows *A = p->rows;
  double *restrict value = p->value;
  bool *restrict in_use = p->in_use;
  ovk_lidx *restrict used = p->used, nused = 0;
  const ovk__amg_row A_i = ovk__amg_rows_row(A, i);
  for (ovk_lidx e = A_i.n - 1; e >= 0; e--) {
    const ovk_lidx j = A_i.col[e];
    if (half && product_is_lower(A, i, j)) break;
    const bool own = j < A->n;
    const ovk__amg_factor *P = own ? &p->own : &p->ghosts;
    const ovk_lidx row = own ? j : j - A->n, *restrict group = P->group;
    const double a = half && j == i ? A_i.val[e] / 2 : A_i.val[e];
    const double *restrict number = P->number;
    const float *restrict several = P->several;
    const int64_t end = P->ptr[row + 1];
    for (int64_t k = P->ptr[row]; k < end; k++) {
      used[nused] = group[k];
      nused += !in_use[group[k]];
      in_use[group[k]] = true;
      if (size == 1) {
        value[group[k]] += a * number[k];
      } else {
        double *restrict sum = value + group[k] * size;
        for (ptrdiff_t c = 0; c < size; c++) sum[c] += a * (double)several[k * size + c];
      }
    }
  }
  return nused;
}

/* Sums row i of groups of several columns; there are 6 rigid body motions of space, and 3 of the
 * plane. */
OVK_FOR_EACH_CPU
static ovk_lidx product_sum_several(const ovk__amg_product *p, ovk_lidx i, bool half)
{
  if (p->size == 6) return product_sum_row(p, i, half, 6);
  if (p->size == 3) return product_sum_row(p, i, half, 3);
  return product_sum_row(p, i, half, p->size);
}

static ovk_err product_enlarge(ovk__amg_product *p, int64_t needed)
{
  const int64_t room = needed + needed / 2 + 1;
  OVK_RESIZE(p->rows->A->ctx, p->group, room);
  OVK_RESIZE(p->rows->A->ctx, p->val, room * p->size);
  p->room = room;
  return OVK_OK;
}

/* Moves the groups from `least` on to place *at of the band, without a branch that would often be
 * mispredicted. */
static ovk_err product_store(ovk__amg_product *p, int64_t *at, ovk_lidx nused, ovk_lidx least)
{
  const ptrdiff_t size = p->size;
  int64_t to = *at;
  if (to + nused > p->room) OVK_TRY(product_enlarge(p, to + nused));
  for (ovk_lidx k = 0; k < nused; k++) {
    const ovk_lidx group = p->used[k];
    double *value = p->value + group * size;
    p->group[to] = group;
    p->in_use[group] = false;
    for (ptrdiff_t c = 0; c < size; c++) {
      p->val[to * size + c] = value[c];
      value[c] = 0;
    }
    to += group >= least;
  }
  *at = to;
  return OVK_OK;
}

ovk_err ovk__amg_product_band(ovk__amg_product *p, ovk_lidx from, ovk_lidx to, const bool *needed,
                              ovk__amg_part part)
{
  const bool half = part == OVK__AMG_HALF;
  int64_t at = 0;
  OVK_TRY(ovk__amg_rows_read(p->rows, from, to));
  p->from = from;
  for (ovk_lidx i = from; i < to; i++) {
    p->ptr[i - from] = at;
    if (!needed[i - from]) continue;
    const ovk_lidx nused = p->size > 1 ? product_sum_several(p, i, half)
                           : half      ? product_sum_row(p, i, true, 1)
                                       : product_sum_row(p, i, false, 1);
    OVK_TRY(product_store(p, &at, nused, part == OVK__AMG_UPPER ? p->own.group[p->own.ptr[i]] : 0));
  }
  p->ptr[to - from] = at;
  return OVK_OK;
}
