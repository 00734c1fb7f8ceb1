/* SPDX-License-Identifier: BSD-2-Clause */
/* Ports are made: which messages there are, and where they lie in memory. */
#include "core/mem.h"
#include "engine/verbs/port_connect.h"

enum { LINE = 64 };

/* The correspondent that is rank `peer`, in the order of their first messages. */
static int find(ovk__port *p, int peer)
{
  int k = 0;
  while (k < p->ncorrespondents && p->correspondents[k].pair->peer != peer) k++;
  return k;
}

static ovk_err add_correspondent(ovk__port *p, int peer, int *index)
{
  *index = find(p, peer);
  if (*index < p->ncorrespondents) return OVK_OK;
  OVK_TRY(ovk__endpoint_add(p->endpoint, peer));
  p->correspondents[p->ncorrespondents++] =
      (ovk__correspondent){.pair = ovk__endpoint_pair(p->endpoint, peer)};
  return OVK_OK;
}

static ovk_err add_outlet(ovk__port *p, const ovk__action *a)
{
  ovk__outlet *o = &p->outlets[p->noutlets];
  OVK_TRY(add_correspondent(p, a->peer, &o->correspondent));
  o->letter = p->letters.of_send[p->noutlets++];
  p->correspondents[o->correspondent].nsends++;
  return OVK_OK;
}

static ovk_err add_entrance(ovk__port *p, const ovk__action *a, const ovk__buffers *buffers)
{
  ovk__entrance *e = &p->entrances[p->nentrances++];
  e->to = ovk__buffers_at(buffers, a->to);
  e->bytes = a->count * buffers->element;
  OVK_TRY(add_correspondent(p, a->peer, &e->correspondent));
  p->correspondents[e->correspondent].ninlets++;
  return OVK_OK;
}

static ovk_err list_messages(const ovk__schedule *s, const ovk__buffers *buffers, ovk__port *p)
{
  for (int r = 0; r < s->nrounds; r++) {
    const ovk__round round = s->rounds[r];
    p->first_outlet[r] = p->noutlets;
    p->first_entrance[r] = p->nentrances;
    for (int k = round.first; k < round.first + round.nmessages; k++) {
      const ovk__action *a = &s->actions[k];
      if (ovk__is_message(a, OVK__SEND, OVK__VERBS)) OVK_TRY(add_outlet(p, a));
      if (ovk__is_message(a, OVK__RECEIVE, OVK__VERBS)) OVK_TRY(add_entrance(p, a, buffers));
    }
  }
  p->first_outlet[s->nrounds] = p->noutlets;
  p->first_entrance[s->nrounds] = p->nentrances;
  return OVK_OK;
}

static ovk_err check_sizes(ovk_ctx *ctx, const ovk__port *p)
{
  const size_t most = ovk__endpoint_limits(p->endpoint)->work_most;
  for (int k = 0; k < p->noutlets; k++) {
    const size_t bytes = p->letters.list[p->outlets[k].letter].bytes;
    OVK_CHECK(bytes + OVK__SEAL_ROOM <= most, ctx, OVK_ERR_RANGE,
              "a message of %zu bytes over an adapter that takes %zu", bytes, most);
  }
  return OVK_OK;
}

static size_t entrance_size(const ovk__entrance *e)
{
  return 2 * ovk__letter_stride(OVK__SEAL_ROOM + e->bytes);
}

/* One block: letters, entrances, what each correspondent has finished, what this rank has. */
static ovk_err take_memory(ovk__port *p)
{
  size_t bytes = p->letters.bytes;
  for (int k = 0; k < p->nentrances; k++) bytes += entrance_size(&p->entrances[k]);
  bytes += ((size_t)p->ncorrespondents + 1) * LINE;
  OVK_TRY(ovk__endpoint_take(p->endpoint, bytes, &p->block));
  char *at = p->block.start + p->letters.bytes;
  for (int k = 0; k < p->nentrances; k++) {
    p->entrances[k].place = at;
    at += entrance_size(&p->entrances[k]);
  }
  for (int k = 0; k < p->ncorrespondents; k++, at += LINE) {
    p->correspondents[k].its = (const uint64_t *)(const void *)at;
  }
  p->finished = (uint64_t *)(void *)at;
  return OVK_OK;
}

ovk_err ovk__port_make(ovk_ctx *ctx, ovk__endpoint *endpoint, int window,
                       const ovk__schedule *schedule, const ovk__buffers *buffers, ovk__port *out)
{
  ovk__port *p = out;
  *p = (ovk__port){0};
  const int nsends = ovk__count_messages(schedule, OVK__SEND, OVK__VERBS);
  const int nreceives = ovk__count_messages(schedule, OVK__RECEIVE, OVK__VERBS);
  if (nsends + nreceives == 0) return OVK_OK;
  OVK_CHECK(endpoint, ctx, OVK_ERR_UNSUPPORTED,
            "channel=verbs needs an adapter: it is for specs that begin with 'verbs'");
  p->endpoint = endpoint;
  p->barrier = schedule->barrier;
  p->window = window;
  OVK_TRY(ovk__letters_make(ctx, schedule, OVK__VERBS, buffers, OVK__SEAL_ROOM, &p->letters));
  OVK_NEW_ZEROS(ctx, p->correspondents, nsends + nreceives);
  OVK_NEW_ZEROS(ctx, p->outlets, nsends);
  OVK_NEW_ZEROS(ctx, p->entrances, nreceives);
  OVK_NEW_ARRAY(ctx, p->first_outlet, schedule->nrounds + 1);
  OVK_NEW_ARRAY(ctx, p->first_entrance, schedule->nrounds + 1);
  OVK_TRY(list_messages(schedule, buffers, p));
  OVK_TRY(check_sizes(ctx, p));
  OVK_TRY(take_memory(p));
  return ovk__port_make_exchange(ctx, p);
}
