/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend that "auto" selects; separate from the plug-ins, which do not depend on each other.
 */
#include "backends/choose.h"
#include "engine/topology.h"

#include <string.h>

const ovk_backend_ops ovk__backend_auto = {
    .name = "auto",
    .summary = "the default: shm if all ranks share a node, or else nbc with one rank a node",
};

const char *ovk__backend_suits(int here, int ranks)
{
  if (here == ranks) return "shm"; /* a fraction of a message's time, see docs/performance.md */
  /* One step over shared memory within each node, recursive doubling between one rank of each node:
   * the fewest rounds, with one message per round. */
  return "nbc:levels=node+net,channel=shm+p2p,alg=flat+doubling";
}

const char *ovk__backend_without_shm(const char *spec)
{
  static const char messages[] = "nbc";
  return strcmp(spec, messages) == 0 ? NULL : messages;
}

ovk_err ovk__backend_choose(ovk_ctx *ctx, const char **spec)
{
  int here = 0;
  OVK_TRY(ovk__agree(ctx, ovk__topology_node_size(ctx, ovk_ctx_comm(ctx), &here)));
  *spec = ovk__backend_suits(
      here,
      ovk_ctx_size(ctx)); /* the same on all ranks: if one rank shares memory with all, all do */
  return OVK_OK;
}
