/* SPDX-License-Identifier: BSD-2-Clause */
/* Each row of A P is summed in a dense array, in the order of the columns of A. */
#include "precond/amg/operators/product.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

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

ovk_err ovk__amg_product_create(const ovk__amg_rows *rows, const ovk__amg_entries *own,
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
}

/* Adds a times row j of P to the row; returns the new number of groups in use. A group is written
 * after the last one even if it is in use already, as a branch here would often be mispredicted.
 * `single` states that groups have one column each. */
static inline ovk_lidx product_add_row(ovk__amg_product *p, double a, ovk_lidx j, ovk_lidx nused,
                                       bool single)
{
  const bool own = j < p->rows->n;
  const ovk__amg_factor *P = own ? &p->own : &p->ghosts;
  const ovk_lidx row = own ? j : j - p->rows->n;
  const double *val = P->e->val;
  const int64_t end = P->e->ptr[row + 1];
  for (int64_t k = P->e->ptr[row]; k < end;) {
    const ovk_lidx group = P->group[k];
    p->used[nused] = group;
    nused += !p->in_use[group];
    p->in_use[group] = true;
    do {
      p->value[P->col[k]] += a * val[k];
      k++;
    } while (!single && k < end && P->group[k] == group);
  }
  return nused;
}

static ovk_err product_enlarge(ovk__amg_product *p, int64_t needed)
{
  const int64_t room = needed + needed / 2 + 1;
  ovk_lidx *group = realloc(p->group, (size_t)room * sizeof *group);
  if (group) p->group = group;
  double *val = realloc(p->val, (size_t)room * (size_t)p->size * sizeof *val);
  if (val) p->val = val;
  OVK_CHECK(group && val, p->rows->A->ctx, OVK_ERR_MEMORY,
            "no memory for %lld entries of rows of A P", (long long)(room * p->size));
  p->room = room;
  return OVK_OK;
}

/* Moves the row to place `at` of the band. */
static ovk_err product_store(ovk__amg_product *p, int64_t at, ovk_lidx nused)
{
  const size_t size = (size_t)p->size;
  if (at + nused > p->room) OVK_TRY(product_enlarge(p, at + nused));
  for (ovk_lidx k = 0; k < nused; k++, at++) {
    const ovk_lidx group = p->used[k];
    double *value = p->value + (size_t)group * size;
    p->group[at] = group;
    p->in_use[group] = false;
    for (size_t c = 0; c < size; c++) {
      p->val[(size_t)at * size + c] = value[c];
      value[c] = 0;
    }
  }
  return OVK_OK;
}

ovk_err ovk__amg_product_band(ovk__amg_product *p, ovk_lidx from, ovk_lidx to, const bool *needed)
{
  const ovk__amg_rows *A = p->rows;
  p->from = from;
  p->ptr[0] = 0;
  for (ovk_lidx i = from; i < to; i++) {
    ovk_lidx nused = 0;
    for (int64_t k = A->ptr[i]; needed[i - from] && k < A->ptr[i + 1]; k++) {
      nused = p->size == 1 ? product_add_row(p, A->val[k], A->col[k], nused, true)
                           : product_add_row(p, A->val[k], A->col[k], nused, false);
    }
    OVK_TRY(product_store(p, p->ptr[i - from], nused));
    p->ptr[i - from + 1] = p->ptr[i - from] + nused;
  }
  return OVK_OK;
}
