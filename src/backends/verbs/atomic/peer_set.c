/* SPDX-License-Identifier: BSD-2-Clause */
/* Connects to several ranks and monitors them. */
#include "backends/verbs/atomic/peer_set.h"
#include "core/context/mem.h"

#include <stdlib.h>

ovk_err ovk__peer_set_make(ovk_ctx *ctx, ovk__endpoint *endpoint, const int *peers, int npeers,
                           ovk__peer_set *out)
{
  *out = (ovk__peer_set){.endpoint = endpoint, .n = npeers};
  OVK_NEW_ARRAY(ctx, out->peers, npeers);
  OVK_NEW_ZEROS(ctx, out->list, npeers);
  for (int k = 0; k < npeers; k++) {
    out->peers[k] = peers[k];
    OVK_TRY(ovk__endpoint_add(endpoint, peers[k]));
    out->list[k].connection = ovk__endpoint_connection(endpoint, peers[k]);
  }
  return OVK_OK;
}

void ovk__peer_set_free(ovk__peer_set *peer_set)
{
  free(peer_set->peers);
  free(peer_set->list);
}

/* Checks one peer per call, in turn; each has its own timer. */
bool ovk__peer_set_check(ovk__peer_set *peer_set, uint64_t generation)
{
  ovk__monitored_peer *c = &peer_set->list[peer_set->next];
  peer_set->next = (peer_set->next + 1) % peer_set->n;
  if (c->generation != generation) c->timer = (ovk__timer){0};
  c->generation = generation;
  return ovk__connection_check(peer_set->endpoint, c->connection, &c->timer);
}
