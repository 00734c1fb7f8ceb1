/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries for rows of other ranks. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/operators/entries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

ovk_err ovk__amg_parcel_add(ovk_ctx *ctx, ovk__amg_parcel *parcel, ovk__amg_item item)
{
  enum { FIRST_ROOM = 1024 };
  if (parcel->n == parcel->room) {
    const int64_t room = parcel->room ? 2 * parcel->room : FIRST_ROOM;
    OVK_RESIZE(ctx, parcel->items, room);
    parcel->room = room;
  }
  parcel->items[parcel->n++] = item;
  return OVK_OK;
}

void ovk__amg_parcel_free(ovk__amg_parcel *parcel)
{
  free(parcel->items);
  *parcel = (ovk__amg_parcel){0};
}

/* Groups the items by rank. `next` has room for the ranks, all 0. */
static ovk_err parcel_sort(ovk_ctx *ctx, const ovk_gidx *first, const ovk__amg_parcel *parcel,
                           int64_t *next, ovk__neighbor_messages *out)
{
  const int size = ovk_ctx_size(ctx);
  int64_t at = 0;
  OVK_NEW_ARRAY(ctx, out->list, size);
  out->items = ovk__array((size_t)parcel->n, sizeof(ovk__amg_item));
  OVK_CHECK(out->items, ctx, OVK_ERR_MEMORY, "no memory for %lld entries", (long long)parcel->n);
  for (int64_t k = 0; k < parcel->n; k++) {
    next[ovk__layout_owner(first, size, parcel->items[k].row)]++;
  }
  for (int rank = 0; rank < size; rank++) {
    const int64_t count = next[rank];
    OVK_CHECK(count <= INT_MAX, ctx, OVK_ERR_RANGE,
              "%lld entries for rank %d: 2^31 - 1 are the most", (long long)count, rank);
    next[rank] = at;
    at += count;
    if (count) out->list[out->n++] = (ovk__neighbor_message){rank, (int)count};
  }
  out->total = (size_t)at;
  for (int64_t k = 0; k < parcel->n; k++) {
    const int rank = ovk__layout_owner(first, size, parcel->items[k].row);
    ((ovk__amg_item *)out->items)[next[rank]++] = parcel->items[k];
  }
  return OVK_OK;
}

ovk_err ovk__amg_parcel_send(ovk_ctx *ctx, ovk_err local, const ovk_gidx *first,
                             const ovk__amg_parcel *parcel, ovk__neighbor_messages *in)
{
  ovk__neighbor_messages out = {0};
  int64_t *next = ovk__zeros((size_t)ovk_ctx_size(ctx), sizeof *next);
  ovk_err err = local;
  *in = (ovk__neighbor_messages){0};
  if (!err && !next) err = OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a number of each rank");
  if (!err) err = parcel_sort(ctx, first, parcel, next, &out);
  err = ovk__agree(ctx, err);
  if (!err) err = ovk__exchange(ctx, sizeof(ovk__amg_item), &out, in);
  ovk__neighbor_messages_free(&out);
  free(next);
  return err;
}
