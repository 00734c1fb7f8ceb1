/* SPDX-License-Identifier: BSD-2-Clause */
/* Flat: everyone sends to everyone, and adds up in the order of ranks. One hop, no waiting for
 * another rank's step, P (P - 1) messages. */
#include "backends/schedule/builder.h"

/* Where the part of `peer` is kept: the own one in buffer 0, the others in their order behind it.
 */
static int buffer_of(const ovk__builder *b, int peer)
{
  return peer == b->rank ? 0 : peer < b->rank ? peer + 1 : peer;
}

void ovk__build_flat(ovk__builder *b)
{
  ovk__build_round(b);
  for (int distance = 1; distance < b->nranks; distance++) { /* not all at once to the same rank */
    ovk__build_send(b, (b->rank + distance) % b->nranks, 0);
  }
  for (int distance = 1; distance < b->nranks; distance++) {
    const int peer = (b->rank + b->nranks - distance) % b->nranks;
    ovk__build_receive(b, peer, buffer_of(b, peer));
  }
  const int total = buffer_of(b, 0);
  for (int peer = 1; peer < b->nranks; peer++) ovk__build_combine(b, buffer_of(b, peer), total);
  ovk__build_copy(b, total, 0);
}
