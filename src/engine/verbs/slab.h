/* SPDX-License-Identifier: BSD-2-Clause */
/* Registered memory: blocks are cut from few large slabs, as registering takes long and adapters
 * keep a table of what is. */
#ifndef OVK_ENGINE_VERBS_SLAB_H
#define OVK_ENGINE_VERBS_SLAB_H

#include "engine/verbs/nic.h"

/* Blocks lie one behind the other; when none is in use any more, it is filled anew. */
typedef struct ovk__slab {
  ovk__region region;
  size_t used; /* bytes */
  int nblocks; /* in use */
  struct ovk__slab *next;
} ovk__slab;

/* A piece of it, aligned to cache lines. */
typedef struct ovk__block {
  char *start; /* NULL: none */
  size_t bytes;
  uint32_t local_key, remote_key;
  ovk__slab *slab;
} ovk__block;

/* A block of zeros. The first in the list has place, or a new slab is put in front. */
ovk_err ovk__slabs_take(ovk_ctx *ctx, ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic,
                        size_t bytes, ovk__block *out);

/* Nobody may write to it any more. None: does nothing. */
void ovk__block_give(ovk__block *block);

void ovk__slabs_free(ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic);

#endif
