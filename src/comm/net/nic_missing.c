/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces net/ibverbs in builds without libibverbs. */
#include "comm/net/nic.h"

static ovk_err open_nothing(ovk_ctx *ctx, const ovk__nic_choice *choice, ovk__nic **out,
                            ovk__nic_limits *limits)
{
  (void)choice, (void)out, (void)limits;
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "InfiniBand verbs are not compiled in: build ovkrylov with rdma-core (package "
                  "libibverbs-dev) and -DOVK_WITH_VERBS=ON");
}

/* The other functions are never called, because open fails. */
const ovk__nic_ops ovk__nic_ibverbs = {.name = "ibverbs", .open = open_nothing};
