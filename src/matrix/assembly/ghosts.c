/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbering of ghosts. */
#include "matrix/assembly/ghosts.h"
#include "core/base/sorted.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

ovk_lidx ovk__ghosts_find(const ovk__ghosts *g, ovk_gidx col)
{
  OVK_BISECT(ovk_lidx, low, 0, g->count, g->col[middle] < col);
  return low < g->count && g->col[low] == col ? low : -1;
}

void ovk__ghosts_clear(ovk__ghosts *g)
{
  free(g->col);
  free(g->slots);
  *g = (ovk__ghosts){0};
}

/* The slot of a column, or the free slot where it would be inserted. */
static ovk_lidx *ghosts_find_slot(const ovk__ghosts *g, ovk_gidx col)
{
  const uint64_t hash = (uint64_t)col * 0x9e3779b97f4a7c15u;
  size_t at = (size_t)(hash ^ hash >> 32) & (g->nslots - 1);
  while (g->slots[at] && g->col[g->slots[at] - 1] != col) at = (at + 1) & (g->nslots - 1);
  return &g->slots[at];
}

static ovk_err ghosts_grow(ovk_ctx *ctx, ovk__ghosts *g)
{
  enum { FIRST_SLOTS = 64, SLOTS_PER_GHOST = 2 };
  const size_t nslots = g->nslots ? 2 * g->nslots : FIRST_SLOTS, room = nslots / SLOTS_PER_GHOST;
  OVK_RESIZE(ctx, g->col, room);
  ovk_lidx *slots;
  OVK_NEW_ZEROS(ctx, slots, nslots);
  free(g->slots);
  g->slots = slots;
  g->nslots = nslots;
  for (ovk_lidx k = 0; k < g->count; k++) *ghosts_find_slot(g, g->col[k]) = k + 1;
  return OVK_OK;
}

ovk_err ovk__ghosts_number(ovk_ctx *ctx, ovk__ghosts *g, ovk_gidx col, ovk_lidx *number)
{
  if (2 * (size_t)g->count >= g->nslots) OVK_TRY(ghosts_grow(ctx, g));
  ovk_lidx *slot = ghosts_find_slot(g, col);
  if (!*slot) {
    OVK_CHECK(g->count < INT32_MAX, ctx, OVK_ERR_RANGE,
              "rank %d needs more than 2^31 - 1 columns of other ranks", ctx->rank);
    g->col[g->count] = col;
    *slot = ++g->count;
  }
  *number = *slot - 1;
  return OVK_OK;
}

ovk_err ovk__ghosts_sort(ovk_ctx *ctx, ovk__ghosts *g, ovk_lidx **map)
{
  const size_t n = (size_t)g->count;
  OVK_NEW_ARRAY(ctx, *map, n);
  ovk_gidx *sorted;
  OVK_NEW_ARRAY(ctx, sorted, n);
  if (n) memcpy(sorted, g->col, n * sizeof *sorted);
  ovk__sort_gidx(sorted, n);
  for (size_t k = 0; k < n; k++) (*map)[*ghosts_find_slot(g, sorted[k]) - 1] = (ovk_lidx)k;
  free(g->col);
  free(g->slots);
  *g = (ovk__ghosts){.col = sorted, .count = (ovk_lidx)n};
  return OVK_OK;
}
