/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands in for net/ibverbs in builds without libibverbs. */
#include "comm/net/adapter.h"

static ovk_err open_nothing(ovk_ctx *ctx, const ovk__adapter_choice *choice, ovk__adapter **out,
                            ovk__adapter_limits *limits)
{
  (void)choice, (void)out, (void)limits;
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "InfiniBand verbs are not compiled in: build ovkrylov with rdma-core (package "
                  "libibverbs-dev) and -DOVK_WITH_VERBS=ON");
}

/* The other functions are never called, since open fails. */
const ovk__adapter_ops ovk__adapter_ibverbs = {.name = "ibverbs", .open = open_nothing};
