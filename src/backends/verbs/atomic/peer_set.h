/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranks that this one may wait for in a sum: connected, and monitored while it waits. The death
 * of a rank is detected by the ranks that wait for its addends; a rank that waits for the root
 * alone detects it when the root breaks its connections. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_PEER_SET_H
#define OVK_BACKENDS_VERBS_ATOMIC_PEER_SET_H

#include "comm/net/endpoint.h"

typedef struct ovk__monitored_peer {
  ovk__connection *connection;
  ovk__timer timer;
  uint64_t generation; /* generation that the timer refers to */
} ovk__monitored_peer;

typedef struct ovk__peer_set {
  ovk__endpoint *endpoint;
  int n, next; /* next: index of the next peer to check */
  int *peers;
  ovk__monitored_peer *list;
} ovk__peer_set;

/* Adds connections to `peers`, which are distinct, for ovk__endpoint_connect(). Not collective.
 * ovk__peer_set_free() must be called also after an error. */
ovk_err ovk__peer_set_make(ovk_ctx *ctx, ovk__endpoint *endpoint, const int *peers, int npeers,
                           ovk__peer_set *out);
void ovk__peer_set_free(ovk__peer_set *peer_set);

/* To be called after each unsuccessful poll; false once the endpoint has failed. */
bool ovk__peer_set_check(ovk__peer_set *peer_set, uint64_t generation);

#endif
