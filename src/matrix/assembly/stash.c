/* SPDX-License-Identifier: BSD-2-Clause */
/* Growing lists of matrix entries, and the exchange that sends entries to the owners of their rows.
 */
#include "matrix/assembly/stash.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "matrix/layout/layout.h"

#include <stdbool.h>
#include <stdlib.h>

ovk_err ovk__stash_add(ovk_ctx *ctx, ovk__stash *stash, ovk__entry entry)
{
  if (stash->count == stash->capacity) {
    const size_t capacity = stash->capacity ? 2 * stash->capacity : 64;
    OVK_RESIZE(ctx, stash->entries, capacity);
    stash->capacity = capacity;
  }
  stash->entries[stash->count++] = entry;
  return OVK_OK;
}

void ovk__stash_clear(ovk__stash *stash)
{
  free(stash->entries);
  *stash = (ovk__stash){0};
}

/* counts[r] <- how many entries go to rank r; *in_order <- whether they lie rank after rank. */
static void count_owners(const ovk_gidx *first, int nranks, const ovk__stash *off, size_t *counts,
                         bool *in_order)
{
  int before = 0;
  *in_order = true;
  for (size_t k = 0; k < off->count; k++) {
    const int owner = ovk__layout_owner(first, nranks, off->entries[k].row);
    counts[owner]++;
    *in_order = *in_order && before <= owner;
    before = owner;
  }
}

/* One message per owner; offsets[r], the number of entries for rank r, becomes the index of the
 * first. */
static ovk_err make_messages(ovk_ctx *ctx, size_t *offsets, ovk__neighbor_messages *out)
{
  OVK_NEW_ARRAY(ctx, out->list, ctx->size);
  for (int rank = 0; rank < ctx->size; rank++) {
    const size_t count = offsets[rank];
    OVK_CHECK(count <= INT32_MAX, ctx, OVK_ERR_RANGE,
              "rank %d has %zu entries for rows of rank %d, more than 2^31 - 1", ctx->rank, count,
              rank);
    if (count) out->list[out->n++] = (ovk__neighbor_message){rank, (int)count};
    offsets[rank] = out->total;
    out->total += count;
  }
  return OVK_OK;
}

/* Moves the entries of `off` into messages by owner, in the order they were added. */
static ovk_err stash_pack(ovk_ctx *ctx, const ovk_gidx *first, ovk__stash *off, size_t *offsets,
                          ovk__neighbor_messages *out)
{
  bool in_order;
  count_owners(first, ctx->size, off, offsets, &in_order);
  OVK_TRY(make_messages(ctx, offsets, out));
  if (in_order) {
    out->items = off->entries;
    *off = (ovk__stash){0};
    return OVK_OK;
  }
  ovk__entry *items;
  OVK_NEW_ARRAY(ctx, items, off->count);
  out->items = items;
  for (size_t k = 0; k < off->count; k++) {
    items[offsets[ovk__layout_owner(first, ctx->size, off->entries[k].row)]++] = off->entries[k];
  }
  return OVK_OK;
}

ovk_err ovk__stash_exchange(ovk_ctx *ctx, ovk_err local, const ovk_gidx *first, ovk__stash *off,
                            ovk__neighbor_messages *arrived)
{
  ovk__neighbor_messages out = {0};
  size_t *offsets = ovk__zeros((size_t)ctx->size, sizeof *offsets);
  ovk_err err = local;
  *arrived = (ovk__neighbor_messages){0};
  if (!err && !offsets) err = OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d ranks", ctx->size);
  if (!err) err = stash_pack(ctx, first, off, offsets, &out);
  free(offsets);
  ovk__stash_clear(off);
  err = ovk__agree(ctx, err);
  if (!err) err = ovk__exchange(ctx, sizeof *off->entries, &out, arrived);
  ovk__neighbor_messages_free(&out);
  return err;
}
