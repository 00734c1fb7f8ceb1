/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring in which ranks look after each other. */
#include "backends/verbs/recovery/guard.h"

static ovk_err add(ovk__endpoint *endpoint, const int *peers, int npeers)
{
  for (int k = 0; k < npeers; k++) OVK_TRY(ovk__endpoint_add(endpoint, peers[k]));
  return OVK_OK;
}

ovk_err ovk__guard_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int tag, ovk__guard *out)
{
  const int rank = ovk_ctx_rank(ctx), size = ovk_ctx_size(ctx);
  const int peers[2] = {(rank + 1) % size, (rank + size - 1) % size};
  const int npeers = size > 2 ? 2 : size > 1;
  *out = (ovk__guard){.endpoint = endpoint};
  OVK_TRY(ovk__agree(ctx, add(endpoint, peers, npeers)));
  OVK_TRY(ovk__agree(ctx, ovk__endpoint_connect(endpoint, peers, npeers, tag)));
  if (npeers) out->pair = ovk__endpoint_pair(endpoint, peers[0]);
  return OVK_OK;
}

void ovk__guard_look(ovk__guard *guard)
{
  if (guard->pair) (void)ovk__pair_look_after(guard->endpoint, guard->pair, &guard->patience);
}
