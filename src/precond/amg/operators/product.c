/* SPDX-License-Identifier: BSD-2-Clause */
/* Each row of A P is summed in a dense array, from the last column of A to the first. */
#include "precond/amg/operators/product.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/mem.h"

#include <stdlib.h>

static ovk_err factor_create(ovk_ctx *ctx, const ovk__amg_entries *e,
                             const ovk__amg_numbering *columns, int size, ovk__amg_factor *out)
{
  const int64_t nnz = e->ptr[e->rows];
  *out = (ovk__amg_factor){.e = e};
  OVK_NEW_ARRAY(ctx, out->group, nnz);
  for (int64_t k = 0; k < nnz; k++) {
    out->group[k] = ovk__amg_numbering_local(columns, e->col[k] / size);
  }
  out->col = out->group;
  if (size == 1) return OVK_OK;
  OVK_NEW_ARRAY(ctx, out->col, nnz);
  for (int64_t k = 0; k < nnz; k++) {
    out->col[k] = out->group[k] * size + (ovk_lidx)(e->col[k] % size);
  }
  return OVK_OK;
}

static void factor_free(ovk__amg_factor *factor)
{
  if (factor->col != factor->group) free(factor->col);
  free(factor->group);
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
 * is in use already, as a branch here would often be mispredicted. `single` states that groups have
 * one column each. */
OVK_ALWAYS_INLINE ovk_lidx product_sum_row(const ovk__amg_product *p, ovk_lidx i, bool half,
                                           bool single)
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
    const double *restrict val = P->e->val;
    const int64_t end = P->e->ptr[row + 1];
    for (int64_t k = P->e->ptr[row]; k < end; k++) {
      used[nused] = group[k];
      nused += !in_use[group[k]];
      in_use[group[k]] = true;
      value[P->col[k]] += a * val[k];
      while (!single && k + 1 < end && group[k + 1] == group[k]) {
        k++;
        value[P->col[k]] += a * val[k];
      }
    }
  }
  return nused;
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
    const ovk_lidx nused = p->size > 1 ? product_sum_row(p, i, half, false)
                           : half      ? product_sum_row(p, i, true, true)
                                       : product_sum_row(p, i, false, true);
    OVK_TRY(
        product_store(p, &at, nused, part == OVK__AMG_UPPER ? p->own.group[p->own.e->ptr[i]] : 0));
  }
  p->ptr[to - from] = at;
  return OVK_OK;
}
