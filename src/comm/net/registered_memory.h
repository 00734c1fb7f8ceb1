/* SPDX-License-Identifier: BSD-2-Clause */
/* Registered memory: blocks are parts of a few large slabs, because registration is slow and NICs
 * have tables of limited size for regions. */
#ifndef OVK_COMM_NET_REGISTERED_MEMORY_H
#define OVK_COMM_NET_REGISTERED_MEMORY_H

#include "comm/net/nic.h"

/* Blocks are taken in ascending order. When no block is in use, the slab is empty again. */
typedef struct ovk__slab {
  ovk__region region;
  size_t used; /* bytes */
  int nblocks; /* blocks in use */
  struct ovk__slab *next;
} ovk__slab;

/* A part of a slab, aligned to cache lines. */
typedef struct ovk__block {
  char *start; /* NULL: none */
  uint32_t local_key, remote_key;
  ovk__slab *slab;
} ovk__block;

/* Take a block of zeros from the first slab with enough space, or from a new slab at the front of
 * the list. Fails if all slabs would have more than `most` bytes. */
ovk_err ovk__slabs_take(ovk_ctx *ctx, ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic,
                        size_t bytes, size_t most, ovk__block *out);

size_t ovk__slabs_bytes(const ovk__slab *slabs);

/* Release a block. No rank may write to it any more. Does nothing for an empty block. */
void ovk__block_give(ovk__block *block);

void ovk__slabs_free(ovk__slab **slabs, const ovk__nic_ops *ops, ovk__nic *nic);

#endif
