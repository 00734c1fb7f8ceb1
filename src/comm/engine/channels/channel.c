/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that channels share: addresses of places, lists of messages, send copies. */
#include "comm/engine/channels/channel.h"
#include "core/context/mem.h"
#include "core/memory_limit.h"

#include <stdlib.h>
#include <string.h>

int ovk__transport_node_rank(const ovk__transport_ctx *transport, int peer)
{
  int rank = MPI_UNDEFINED;
  MPI_Group_translate_ranks(transport->comm_group, 1, &peer, transport->node_group, &rank);
  return rank;
}

void *ovk__buffers_at(const ovk__buffers *buffers, ovk_place place)
{
  char *start = buffers->at[place.buffer];
  return start ? start + place.first * buffers->element : NULL;
}

bool ovk__is_message(const ovk__action *action, ovk__action_kind kind, ovk__channel channel)
{
  return action->kind == kind && action->channel == channel;
}

int ovk__count_messages(const ovk__schedule *schedule, ovk__action_kind kind, ovk__channel channel)
{
  int n = 0;
  for (int k = 0; k < schedule->nactions; k++) {
    n += ovk__is_message(&schedule->actions[k], kind, channel);
  }
  return n;
}

size_t ovk__send_copy_stride(size_t bytes)
{
  enum { LINE = 64 }; /* bytes of a cache line */
  return (bytes + LINE - 1) / LINE * LINE;
}

/* Whether two sends have the same data. */
static bool same(const ovk__action *a, const ovk__action *b)
{
  return a->from.buffer == b->from.buffer && a->from.first == b->from.first && a->count == b->count;
}

ovk_err ovk__send_copies_make(ovk_ctx *ctx, const ovk__schedule *schedule, ovk__channel channel,
                              size_t element, size_t head, size_t most, ovk__send_copies *out)
{
  const int nsends = ovk__count_messages(schedule, OVK__SEND, channel);
  *out = (ovk__send_copies){0};
  OVK_NEW_ARRAY(ctx, out->list, nsends);
  OVK_NEW_ARRAY(ctx, out->of_send, nsends);
  OVK_NEW_ARRAY(ctx, out->first, schedule->nrounds + 1);
  int n = 0, send = 0;
  for (int r = 0; r < schedule->nrounds; r++) {
    const ovk__round round = schedule->rounds[r];
    const ovk__action *last = NULL;
    out->first[r] = n;
    for (int k = round.first; k < round.first + round.nmessages; k++) {
      const ovk__action *a = &schedule->actions[k];
      if (!ovk__is_message(a, OVK__SEND, channel)) continue;
      if (!last || !same(a, last)) {
        const size_t whole = a->count * element, bytes = whole > most ? 0 : whole;
        const size_t stride = ovk__send_copy_stride(head + bytes);
        OVK_CHECK(!ovk__memory_never(2 * stride), ctx, OVK_ERR_MEMORY,
                  "no memory for two copies of a message of %zu bytes", bytes);
        out->list[n++] = (ovk__send_copy){a->from, bytes, out->bytes, stride};
        out->bytes += 2 * stride;
      }
      out->of_send[send++] = n - 1;
      last = a;
    }
  }
  out->first[schedule->nrounds] = n;
  return OVK_OK;
}

void ovk__send_copy_write(const ovk__send_copy *copy, const ovk__buffers *buffers, char *to)
{
  if (copy->bytes) memcpy(to, ovk__buffers_at(buffers, copy->from), copy->bytes);
}

void ovk__send_copies_free(ovk__send_copies *copies)
{
  free(copies->list);
  free(copies->of_send);
  free(copies->first);
}
