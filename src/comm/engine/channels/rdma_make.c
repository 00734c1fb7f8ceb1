/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists the messages of a schedule over rdma and lays out their memory. */
#include "comm/engine/channels/rdma.h"
#include "core/context/mem.h"

enum { LINE = 64 };

/* Returns the index of rank `peer` in the list of peers, or the length of the list. */
static int find(ovk__rdma *p, int peer)
{
  int k = 0;
  while (k < p->npeers && p->peers[k].connection->peer != peer) k++;
  return k;
}

static ovk_err add_peer(ovk__rdma *p, int peer, int *index)
{
  *index = find(p, peer);
  if (*index < p->npeers) return OVK_OK;
  OVK_TRY(ovk__endpoint_add(p->endpoint, peer));
  p->peers[p->npeers++] =
      (ovk__rdma_peer){.connection = ovk__endpoint_connection(p->endpoint, peer)};
  return OVK_OK;
}

static ovk_err add_send(ovk__rdma *p, const ovk__action *a)
{
  ovk__rdma_send *o = &p->sends[p->nsends];
  OVK_TRY(add_peer(p, a->peer, &o->peer));
  o->copy = p->copies.of_send[p->nsends++];
  p->peers[o->peer].nsends++;
  return OVK_OK;
}

static ovk_err add_receive(ovk__rdma *p, const ovk__action *a)
{
  ovk__rdma_receive *e = &p->receives[p->nreceives++];
  e->to = a->to;
  e->bytes = a->count * p->buffers->element;
  if (p->lent && e->bytes > OVK__COPIED_MOST) {
    e->read = e->bytes;
    e->bytes = 0;
  }
  OVK_TRY(add_peer(p, a->peer, &e->peer));
  p->peers[e->peer].nreceives++;
  return OVK_OK;
}

static ovk_err list_messages(const ovk__schedule *s, ovk__rdma *p)
{
  for (int r = 0; r < s->nrounds; r++) {
    const ovk__round round = s->rounds[r];
    p->first_send[r] = p->nsends;
    p->first_receive[r] = p->nreceives;
    for (int k = round.first; k < round.first + round.nmessages; k++) {
      const ovk__action *a = &s->actions[k];
      if (ovk__is_message(a, OVK__SEND, OVK__RDMA)) OVK_TRY(add_send(p, a));
      if (ovk__is_message(a, OVK__RECEIVE, OVK__RDMA)) OVK_TRY(add_receive(p, a));
    }
  }
  p->first_send[s->nrounds] = p->nsends;
  p->first_receive[s->nrounds] = p->nreceives;
  return OVK_OK;
}

static ovk_err check_sizes(const ovk__rdma *p)
{
  const size_t most = ovk__endpoint_limits(p->endpoint)->work_most;
  for (int k = 0; k < p->nsends; k++) {
    const size_t bytes = p->copies.list[p->sends[k].copy].bytes;
    OVK_CHECK(bytes + OVK__FLAG_ROOM <= most, p->ctx, OVK_ERR_RANGE,
              "a message of %zu bytes; the NIC allows at most %zu", bytes, most);
  }
  for (int k = 0; k < p->nreceives; k++) {
    OVK_CHECK(p->receives[k].read <= most, p->ctx, OVK_ERR_RANGE,
              "a message of %zu bytes; the NIC allows at most %zu", p->receives[k].read, most);
  }
  return OVK_OK;
}

static size_t receive_size(const ovk__rdma_receive *e)
{
  return 2 * ovk__send_copy_stride(OVK__FLAG_ROOM + e->bytes);
}

/* One block: send copies, receive places, the last finished generation of each peer and of this
 * rank. */
static ovk_err take_memory(ovk__rdma *p)
{
  size_t bytes = p->copies.bytes;
  for (int k = 0; k < p->nreceives; k++) bytes += receive_size(&p->receives[k]);
  bytes += ((size_t)p->npeers + 1) * LINE;
  OVK_TRY(ovk__endpoint_take(p->endpoint, bytes, &p->block));
  char *at = p->block.start + p->copies.bytes;
  for (int k = 0; k < p->nreceives; k++) {
    p->receives[k].place = at;
    at += receive_size(&p->receives[k]);
  }
  for (int k = 0; k < p->npeers; k++, at += LINE) {
    p->peers[k].its = (const uint64_t *)(const void *)at;
  }
  p->finished = (uint64_t *)(void *)at;
  return OVK_OK;
}

ovk_err ovk__rdma_make(const ovk__channel_args *args, void **out)
{
  ovk_ctx *ctx = args->transport->ctx;
  const ovk__schedule *s = args->schedule;
  const int nsends = ovk__count_messages(s, OVK__SEND, OVK__RDMA);
  const int nreceives = ovk__count_messages(s, OVK__RECEIVE, OVK__RDMA);
  if (nsends + nreceives == 0) return OVK_OK;
  OVK_CHECK(args->transport->endpoint, ctx, OVK_ERR_UNSUPPORTED,
            "channel=verbs needs a NIC: use a spec that begins with 'verbs'");
  OVK_NEW_AT(ctx, *out, ovk__rdma, channel);
  channel->ctx = ctx;
  channel->endpoint = args->transport->endpoint;
  channel->buffers = args->buffers;
  channel->barrier = s->barrier;
  channel->window = args->window;
  channel->lent = s->nrounds == 1 ? args->lent : NULL;
  OVK_TRY(ovk__send_copies_make(ctx, s, OVK__RDMA, args->buffers->element, OVK__FLAG_ROOM,
                                channel->lent ? OVK__COPIED_MOST : SIZE_MAX, &channel->copies));
  OVK_NEW_ZEROS(ctx, channel->peers, nsends + nreceives);
  OVK_NEW_ZEROS(ctx, channel->sends, nsends);
  OVK_NEW_ZEROS(ctx, channel->receives, nreceives);
  OVK_NEW_ARRAY(ctx, channel->first_send, s->nrounds + 1);
  OVK_NEW_ARRAY(ctx, channel->first_receive, s->nrounds + 1);
  OVK_TRY(list_messages(s, channel));
  OVK_TRY(check_sizes(channel));
  OVK_TRY(take_memory(channel));
  return ovk__rdma_write_handshakes(channel);
}
