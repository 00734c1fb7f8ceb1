/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorted lists of columns, by binary search. */
#include "precond/amg/operators/columns.h"
#include "core/base/sorted.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* Sorts the foreign columns, and removes repeated ones. */
static void columns_sort(ovk__amg_columns *c)
{
  ovk_lidx left = 0;
  ovk__sort_gidx(c->foreign, (size_t)c->nforeign);
  for (ovk_lidx k = 0; k < c->nforeign; k++) {
    if (left == 0 || c->foreign[left - 1] != c->foreign[k]) c->foreign[left++] = c->foreign[k];
  }
  c->nforeign = left;
}

/* Whether all columns of row i are of this rank, as its ends show. */
static inline bool columns_are_own(const ovk__layout *layout, const ovk__amg_entries *e, ovk_lidx i)
{
  const int64_t from = e->ptr[i], end = e->ptr[i + 1];
  return from == end ||
         (ovk__layout_owns(layout, e->col[from]) && ovk__layout_owns(layout, e->col[end - 1]));
}

/* Counts the foreign columns, in any order and repeated; appends them if `c` is not NULL. */
static int64_t columns_list(ovk__amg_columns *c, const ovk__layout *layout, int size,
                            const ovk__amg_entries *e)
{
  int64_t n = 0;
  for (ovk_lidx i = 0; i < e->rows; i++) {
    if (columns_are_own(layout, e, i)) continue;
    for (int64_t k = e->ptr[i]; k < e->ptr[i + 1]; k++) {
      if (ovk__layout_owns(layout, e->col[k])) continue;
      if (c) c->foreign[c->nforeign++] = e->col[k] / size;
      n++;
    }
  }
  return n;
}

ovk_err ovk__amg_columns_create(ovk_ctx *ctx, const ovk__layout *layout, int size,
                                const ovk__amg_entries *const e[], int n, ovk__amg_columns *out)
{
  int64_t room = 0;
  *out = (ovk__amg_columns){.first = layout->first / size, .own = layout->local / size};
  for (int k = 0; k < n; k++) room += columns_list(NULL, layout, size, e[k]);
  OVK_CHECK(room < INT32_MAX, ctx, OVK_ERR_RANGE,
            "amg: %lld entries of a rank have columns of other ranks, 2^31 - 1 are the most",
            (long long)room);
  OVK_NEW_ARRAY(ctx, out->foreign, room);
  for (int k = 0; k < n; k++) (void)columns_list(out, layout, size, e[k]);
  columns_sort(out);
  return OVK_OK;
}

void ovk__amg_columns_free(ovk__amg_columns *columns)
{
  free(columns->foreign);
  *columns = (ovk__amg_columns){0};
}

ovk_lidx ovk__amg_columns_local(const ovk__amg_columns *c, ovk_gidx col)
{
  if (ovk__amg_columns_owns(c, col)) return (ovk_lidx)(col - c->first);
  const ovk_gidx *found =
      bsearch(&col, c->foreign, (size_t)c->nforeign, sizeof col, ovk__compare_gidx);
  return c->own + (ovk_lidx)(found - c->foreign);
}

ovk_err ovk__amg_numbering_create(ovk_ctx *ctx, const ovk__amg_columns *c, ovk__amg_numbering *out)
{
  ovk_lidx lower = 0;
  while (lower < c->nforeign && c->foreign[lower] < c->first) lower++;
  *out = (ovk__amg_numbering){.n = c->own + c->nforeign, .first = lower, .own = c->own};
  OVK_NEW_ARRAY(ctx, out->global, out->n);
  for (ovk_lidx k = 0; k < lower; k++) out->global[k] = c->foreign[k];
  for (ovk_lidx k = 0; k < c->own; k++) out->global[lower + k] = c->first + k;
  for (ovk_lidx k = lower; k < c->nforeign; k++) out->global[c->own + k] = c->foreign[k];
  return OVK_OK;
}

void ovk__amg_numbering_free(ovk__amg_numbering *numbering)
{
  free(numbering->global);
  *numbering = (ovk__amg_numbering){0};
}

/* The number of a column among those from `from` to `end` - 1, which increase; -1: none. */
static ovk_lidx numbering_find(const ovk__amg_numbering *numbering, ovk_lidx from, ovk_lidx end,
                               ovk_gidx col)
{
  const ovk_gidx *global = numbering->global;
  const ovk_gidx *found =
      bsearch(&col, global + from, (size_t)(end - from), sizeof col, ovk__compare_gidx);
  return found ? (ovk_lidx)(found - global) : -1;
}

ovk_lidx ovk__amg_numbering_local(const ovk__amg_numbering *numbering, ovk_gidx col)
{
  const ovk_lidx first = numbering->first, n = numbering->n;
  if (numbering->own > 0) {
    const ovk_gidx k = col - numbering->global[first];
    if (k >= 0 && k < numbering->own) return first + (ovk_lidx)k;
  }
  const ovk_lidx found = numbering_find(numbering, 0, n, col);
  return found >= 0 ? found : numbering_find(numbering, n, n + numbering->further, col);
}

/* Appends increasing columns. */
static ovk_err numbering_append(ovk_ctx *ctx, ovk__amg_numbering *numbering,
                                const ovk__amg_columns *further)
{
  const ovk_lidx n = numbering->n;
  ovk_gidx *global;
  OVK_NEW_ARRAY(ctx, global, (int64_t)n + further->nforeign);
  for (ovk_lidx k = 0; k < n; k++) global[k] = numbering->global[k];
  for (ovk_lidx k = 0; k < further->nforeign; k++) global[n + k] = further->foreign[k];
  free(numbering->global);
  numbering->global = global;
  numbering->further = further->nforeign;
  return OVK_OK;
}

ovk_err ovk__amg_numbering_extend(ovk_ctx *ctx, ovk__amg_numbering *numbering, const ovk_gidx *cols,
                                  ovk_lidx n)
{
  ovk__amg_columns further = {0};
  OVK_NEW_ARRAY(ctx, further.foreign, n);
  for (ovk_lidx k = 0; k < n; k++) {
    const bool known = ovk__amg_numbering_local(numbering, cols[k]) >= 0;
    if (!known) further.foreign[further.nforeign++] = cols[k];
  }
  columns_sort(&further);
  const ovk_err err = numbering_append(ctx, numbering, &further);
  ovk__amg_columns_free(&further);
  return err;
}
