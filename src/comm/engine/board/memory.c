/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates the memory for the boards of a context, whose ranks must share a node. */
#include "comm/engine/board/memory.h"
#include "comm/engine/topology/topology.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/job.h"

#include <stdlib.h>

/* Identifies this memory among the resources of the context. */
static const char mark;

static void memory_close(ovk__resource *self)
{
  ovk__board_memory *m = (ovk__board_memory *)self;
  ovk__arenas_free(&m->arenas);
  free(m);
}

static ovk_err memory_new(ovk_ctx *ctx, ovk__board_memory **out)
{
  ovk__board_memory *memory = *out = NULL;
  OVK_NEW(ctx, memory);
  *out = memory;
  memory->resource = (ovk__resource){NULL, &mark, memory_close};
  ovk__arenas_init(ctx, ctx->comm, &memory->arenas);
  return OVK_OK;
}

/* Collective; errors are not agreed, but no rank hangs. */
static ovk_err memory_check_node(ovk_ctx *ctx, ovk__board_memory *m)
{
  /* The number of polls after which a waiting rank calls MPI, to progress messages of others. */
  enum { MOST_SPINS = 100 };
  int here = 0;
  OVK_TRY(ovk__topology_node_size(ctx, ctx->comm, &here));
  OVK_TRY(ovk__spins(ctx, ctx->comm, here, &m->spins));
  if (m->spins > MOST_SPINS) m->spins = MOST_SPINS;
  OVK_CHECK(here == ctx->size, ctx, OVK_ERR_UNSUPPORTED,
            "a board needs all ranks on one node: rank %d shares memory with %d of %d", ctx->rank,
            here, ctx->size);
  return OVK_OK;
}

ovk_err ovk__board_memory_find(ovk_ctx *ctx, ovk__board_memory **out)
{
  *out = (ovk__board_memory *)ovk__ctx_find(ctx, &mark);
  if (*out) return OVK_OK;
  ovk_err err = ovk__agree(ctx, memory_new(ctx, out));
  if (!err) err = ovk__agree(ctx, memory_check_node(ctx, *out));
  if (!err) {
    ovk__ctx_own(ctx, &(*out)->resource);
  } else if (*out) {
    memory_close(&(*out)->resource);
    *out = NULL;
  }
  return err;
}
