/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawers of matrix entries. */
#include "matrix/loose.h"
#include "core/mem.h"

#include <stdlib.h>

/* At most 256 drawers: as many open pages as a processor keeps at hand. */
static ovk_err make_drawers(ovk_ctx *ctx, ovk__loose *loose, ovk_lidx rows)
{
  enum { LEAST_BITS = 5, MOST_DRAWERS = 256 };
  loose->row_bits = LEAST_BITS;
  while ((rows - 1) >> loose->row_bits >= MOST_DRAWERS) loose->row_bits++;
  loose->n = ((rows - 1) >> loose->row_bits) + 1;
  OVK_NEW_ZEROS(ctx, loose->drawers, loose->n);
  return OVK_OK;
}

/* Blocks double in size up to 1 MB: memory managers give such ones back to the system at once, so
 * that the rows which the entries move to can have their pages. */
static ovk_err append_block(ovk_ctx *ctx, ovk__drawer *drawer)
{
  enum { LEAST = 16, MOST = 1 << 16 };
  const int before = drawer->last ? drawer->last->room : LEAST / 2;
  const int room = before < MOST ? 2 * before : MOST;
  ovk__item_block *block = malloc(sizeof *block + (size_t)room * sizeof *block->items);
  OVK_CHECK(block, ctx, OVK_ERR_MEMORY, "no memory for %d matrix entries", room);
  block->next = NULL;
  block->count = 0;
  block->room = room;
  if (drawer->last) {
    drawer->last->next = block;
  } else {
    drawer->first = block;
  }
  drawer->last = block;
  return OVK_OK;
}

ovk_err ovk__loose_add(ovk_ctx *ctx, ovk__loose *loose, ovk_lidx rows, ovk__item item)
{
  if (!loose->drawers) OVK_TRY(make_drawers(ctx, loose, rows));
  ovk__drawer *drawer = &loose->drawers[item.row >> loose->row_bits];
  if (!drawer->last || drawer->last->count == drawer->last->room) {
    OVK_TRY(append_block(ctx, drawer));
  }
  drawer->last->items[drawer->last->count++] = item;
  loose->count++;
  return OVK_OK;
}

void ovk__drawer_clear(ovk__drawer *drawer)
{
  for (ovk__item_block *block = drawer->first, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  *drawer = (ovk__drawer){0};
}

void ovk__loose_clear(ovk__loose *loose)
{
  for (int d = 0; loose->drawers && d < loose->n; d++) ovk__drawer_clear(&loose->drawers[d]);
  free(loose->drawers);
  *loose = (ovk__loose){0};
}
