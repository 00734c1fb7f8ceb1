/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces topology_hwloc.c in builds without hwloc. */
#include "comm/engine/topology/topology.h"

#define HOW_TO_GET_IT "build ovkrylov with hwloc (package libhwloc-dev) and -DOVK_USE_HWLOC=ON"

ovk_err ovk__topology_locate(ovk_ctx *ctx, const ovk__grouping *groupings, int n, int *numbers)
{
  (void)groupings, (void)n, (void)numbers;
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "sockets and NUMA domains are unknown here: " HOW_TO_GET_IT);
}

ovk_err ovk__pin_thread(ovk_ctx *ctx, int core)
{
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "a thread cannot be bound to core %d here: " HOW_TO_GET_IT, core);
}
