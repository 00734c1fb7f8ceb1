/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend that "auto" selects; separate from the backends, which do not depend on each
 * other. */
#include "backends/choose.h"
#include "backends/tuning.h"
#include "comm/engine/topology/topology.h"
#include "core/context/agree.h"
#include "core/node/node.h"

#include <string.h>

const ovk_backend_ops ovk__backend_auto = {
    .name = "auto",
    .summary = "the default: the table of OVK_TUNING, or shm on one node, else nbc",
};

/* One step over shared memory within each node, recursive doubling between one rank of each node:
 * the fewest rounds, with one message per round. */
#define OVER_NODES "nbc:levels=node+net,channel=shm+p2p,alg=flat+doubling"

const char *ovk__backend_suits(int here, int ranks, bool thread)
{
  if (here == ranks) return "shm"; /* a fraction of a message's time, see docs/performance.md */
  return thread ? OVER_NODES ",progress=thread" : OVER_NODES;
}

const char *ovk__backend_without_shm(const char *spec)
{
  static const char messages[] = "nbc";
  return strcmp(spec, messages) == 0 ? NULL : messages;
}

/* Whether each rank may have a thread: MPI allows it, and this node has a processor to spare. */
static ovk_err look_for_room(ovk_ctx *ctx, int here, bool *room)
{
  int level, processors = 0;
  OVK_TRY(ovk__topology_node_processors(ctx, ovk_ctx_comm(ctx), &processors));
  OVK_TRY_MPI(ctx, MPI_Query_thread(&level));
  *room = level >= MPI_THREAD_MULTIPLE && processors > here;
  return OVK_OK;
}

ovk_err ovk__backend_choose(ovk_ctx *ctx, bool silent, int count, const char **spec)
{
  ovk__node *node;
  bool thread = false;
  const int ranks = ovk_ctx_size(ctx);
  OVK_TRY(ovk__node_find(ctx, &node));
  /* here == ranks is the same on all ranks: if one rank shares memory with all, all do */
  const int here = node->arenas.size;
  if (silent && here < ranks) {
    const ovk_err err = look_for_room(ctx, here, &thread);
    OVK_TRY(ovk__agree_flag(ctx, err, &thread));
  }
  *spec = NULL;
  /* tables are measured without work that hides a reduction, as a thread does */
  if (!thread) OVK_TRY(ovk__tuning_find(ctx, here == ranks, count, spec));
  if (!*spec) *spec = ovk__backend_suits(here, ranks, thread);
  return OVK_OK;
}
