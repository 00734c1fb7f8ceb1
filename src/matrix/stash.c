/* SPDX-License-Identifier: BSD-2-Clause */
/* Growing lists of matrix entries, and how entries travel to the ranks that own their rows. */
#include "matrix/stash.h"
#include "core/ctx_impl.h"
#include "core/mem.h"
#include "matrix/exchange.h"
#include "matrix/layout.h"

#include <stdlib.h>
#include <string.h>

ovk_err ovk__stash_reserve(ovk_ctx *ctx, ovk__stash *stash, size_t more)
{
  if (more <= stash->capacity - stash->count) return OVK_OK;
  size_t capacity = stash->capacity ? stash->capacity : 64;
  while (capacity - stash->count < more && capacity <= SIZE_MAX / 2) capacity *= 2;
  const size_t size = sizeof *stash->entries;
  ovk__entry *entries =
      capacity <= SIZE_MAX / size ? realloc(stash->entries, capacity * size) : NULL;
  OVK_CHECK(entries, ctx, OVK_ERR_MEMORY, "no memory for %zu matrix entries", capacity);
  stash->entries = entries;
  stash->capacity = capacity;
  return OVK_OK;
}

ovk_err ovk__stash_add(ovk_ctx *ctx, ovk__stash *stash, ovk__entry entry)
{
  if (stash->count == stash->capacity) OVK_TRY(ovk__stash_reserve(ctx, stash, 1));
  stash->entries[stash->count++] = entry;
  return OVK_OK;
}

void ovk__stash_clear(ovk__stash *stash)
{
  free(stash->entries);
  *stash = (ovk__stash){0};
}

/* Packs the entries of `off` by owner, in the order they were added; one parcel an owner. */
static ovk_err pack(ovk_ctx *ctx, const ovk_gidx *first, const ovk__stash *off, size_t *offsets,
                    ovk__parcels *out)
{
  ovk__entry *items;
  OVK_NEW_ARRAY(ctx, items, off->count);
  out->items = items;
  out->total = off->count;
  OVK_NEW_ARRAY(ctx, out->list, ctx->size);
  for (size_t k = 0; k < off->count; k++) {
    offsets[ovk__layout_owner(first, ctx->size, off->entries[k].row)]++;
  }
  size_t offset = 0;
  for (int rank = 0; rank < ctx->size; rank++) {
    const size_t count = offsets[rank];
    OVK_CHECK(count <= INT32_MAX, ctx, OVK_ERR_RANGE,
              "rank %d added %zu entries to rows of rank %d, more than 2^31 - 1", ctx->rank, count,
              rank);
    if (count) out->list[out->n++] = (ovk__parcel){rank, (int)count};
    offsets[rank] = offset;
    offset += count;
  }
  for (size_t k = 0; k < off->count; k++) {
    items[offsets[ovk__layout_owner(first, ctx->size, off->entries[k].row)]++] = off->entries[k];
  }
  return OVK_OK;
}

static ovk_err append(ovk_ctx *ctx, const ovk__parcels *in, ovk__stash *own)
{
  OVK_TRY(ovk__stash_reserve(ctx, own, in->total));
  if (in->total) memcpy(own->entries + own->count, in->items, in->total * sizeof *own->entries);
  own->count += in->total;
  return OVK_OK;
}

ovk_err ovk__stash_exchange(ovk_ctx *ctx, const ovk_gidx *first, ovk__stash *off, ovk__stash *own)
{
  ovk__parcels out = {0}, in = {0};
  size_t *offsets = ovk__zeros((size_t)ctx->size, sizeof *offsets);
  ovk_err err = offsets ? pack(ctx, first, off, offsets, &out)
                        : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d ranks", ctx->size);
  free(offsets);
  ovk__stash_clear(off);
  err = ovk__agree(ctx, err);
  if (!err) err = ovk__exchange(ctx, sizeof *off->entries, &out, &in);
  ovk__parcels_free(&out);
  if (!err) err = ovk__agree(ctx, append(ctx, &in, own));
  ovk__parcels_free(&in);
  return err;
}
