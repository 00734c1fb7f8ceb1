/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring in which each rank monitors the next one. */
#include "backends/verbs/recovery/ring_detector.h"
#include "core/context/agree.h"

static ovk_err add_connections(ovk__endpoint *endpoint, const int *peers, int npeers)
{
  for (int k = 0; k < npeers; k++) OVK_TRY(ovk__endpoint_add(endpoint, peers[k]));
  return OVK_OK;
}

ovk_err ovk__ring_detector_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int tag,
                                ovk__ring_detector *out)
{
  const int rank = ovk_ctx_rank(ctx), size = ovk_ctx_size(ctx);
  const int peers[2] = {(rank + 1) % size, (rank + size - 1) % size};
  const int npeers = size > 2 ? 2 : size > 1;
  *out = (ovk__ring_detector){.endpoint = endpoint};
  OVK_TRY(ovk__agree(ctx, add_connections(endpoint, peers, npeers)));
  OVK_TRY(ovk__agree(ctx, ovk__endpoint_connect(endpoint, peers, npeers, tag)));
  if (npeers) out->connection = ovk__endpoint_connection(endpoint, peers[0]);
  return OVK_OK;
}

/* A running agent detects failures itself. */
void ovk__ring_detector_look(ovk__ring_detector *detector)
{
  enum { CALLS_PER_CHECK = 64 }; /* a check may be a system call, and waits poll continuously */
  ovk__ring_detector *d = detector;
  if (!d->connection || ++d->calls % CALLS_PER_CHECK) return;
  if (!ovk__endpoint_try_enter(d->endpoint)) return;
  (void)ovk__connection_check_peer(d->endpoint, d->connection, &d->timer);
  ovk__endpoint_leave(d->endpoint);
}
