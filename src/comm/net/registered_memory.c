/* SPDX-License-Identifier: BSD-2-Clause */
/* Cuts slabs into blocks. */
#include "comm/net/registered_memory.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, SLAB_BYTES = 256 << 10 };

size_t ovk__slabs_bytes(const ovk__slab *slabs)
{
  size_t bytes = 0;
  for (const ovk__slab *s = slabs; s; s = s->next) bytes += s->region.bytes;
  return bytes;
}

/* Frees all slabs, or those without blocks. */
static void free_slabs(ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic, bool all)
{
  while (*slabs) {
    ovk__slab *s = *slabs;
    if (s->nblocks > 0 && !all) {
      slabs = &s->next;
      continue;
    }
    *slabs = s->next;
    ops->release(nic, &s->region);
    free(s);
  }
}

/* Puts a slab at the front of the list. */
static ovk_err add_slab(ovk_ctx *ctx, ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic,
                        size_t bytes, size_t most)
{
  const size_t size = bytes < SLAB_BYTES ? SLAB_BYTES : bytes;
  if (size > most || ovk__slabs_bytes(*slabs) > most - size) free_slabs(slabs, ops, nic, false);
  OVK_CHECK(size <= most && ovk__slabs_bytes(*slabs) <= most - size, ctx, OVK_ERR_MEMORY,
            "%zu bytes of registered memory in addition to %zu; the limit is %zu bytes", size,
            ovk__slabs_bytes(*slabs), most);
  ovk__slab *slab;
  OVK_NEW(ctx, slab);
  const ovk_err err = ops->take(ctx, nic, size, &slab->region);
  if (err) {
    free(slab);
    return err;
  }
  slab->next = *slabs;
  *slabs = slab;
  return OVK_OK;
}

ovk_err ovk__slabs_take(ovk_ctx *ctx, ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic,
                        size_t bytes, size_t most, ovk__block *out)
{
  *out = (ovk__block){0};
  OVK_CHECK(bytes <= PTRDIFF_MAX - LINE, ctx, OVK_ERR_MEMORY, "a block of %zu bytes", bytes);
  bytes = (bytes + LINE - 1) / LINE * LINE;
  ovk__slab *s = *slabs;
  while (s && s->region.bytes - s->used < bytes) s = s->next;
  if (!s) {
    OVK_TRY(add_slab(ctx, slabs, ops, nic, bytes, most));
    s = *slabs;
  }
  *out = (ovk__block){.start = s->region.start + s->used,
                      .local_key = s->region.local_key,
                      .remote_key = s->region.remote_key,
                      .slab = s};
  memset(out->start, 0, bytes);
  s->used += bytes;
  s->nblocks++;
  return OVK_OK;
}

void ovk__block_give(ovk__block *block)
{
  ovk__slab *s = block->slab;
  if (s && --s->nblocks == 0) s->used = 0;
  *block = (ovk__block){0};
}

void ovk__slabs_free(ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic)
{
  free_slabs(slabs, ops, nic, true);
}
