/* SPDX-License-Identifier: BSD-2-Clause */
/* What "auto" stands for. Apart from the plug-ins, which do not know each other. */
#include "backends/choose.h"
#include "engine/topology.h"

const ovk_backend_ops ovk__backend_auto = {
    .name = "auto",
    .summary = "the default: shm if all ranks share a node, or else nbc with one rank a node",
};

const char *ovk__backend_suits(int here, int ranks)
{
  if (here == ranks) return "shm"; /* a fraction of any message's time, see docs/performance.md */
  /* One step over shared memory on each node. Between nodes, one rank of each, recursive doubling:
   * the fewest rounds, and one message a round. */
  return "nbc:levels=node+net,channel=shm+p2p,alg=flat+doubling";
}

ovk_err ovk__backend_choose(ovk_ctx *ctx, const char **spec)
{
  int here = 0;
  OVK_TRY(ovk__agree(ctx, ovk__topology_node_size(ctx, ovk_ctx_comm(ctx), &here)));
  *spec = ovk__backend_suits(here, ovk_ctx_size(ctx)); /* if one rank sees all, all do */
  return OVK_OK;
}
