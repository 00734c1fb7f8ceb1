/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory for the boards of a context. The context owns it, so that a board is freed without
 * waiting for other ranks, and the next board reuses the memory. */
#ifndef OVK_COMM_ENGINE_BOARD_MEMORY_H
#define OVK_COMM_ENGINE_BOARD_MEMORY_H

#include "core/arena.h"
#include "core/context/ctx_impl.h"

typedef struct ovk__board_memory {
  ovk__resource resource;
  ovk__arenas arenas;
  int spins; /* see core/job.h */
} ovk__board_memory;

/* *out <- the memory of the context, created by the first call. OVK_ERR_UNSUPPORTED if its ranks do
 * not share a node. Collective; errors are agreed. */
ovk_err ovk__board_memory_find(ovk_ctx *ctx, ovk__board_memory **out);

#endif
