/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of ports: which messages there are, where they lie in memory, and who is told of it.
 */
#include "engine/verbs/port_connect.h"
#include "core/mem.h"
#include "engine/job.h"

#include <stdatomic.h>
#include <stdlib.h>

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

/* What a rank tells a correspondent: the key to its memory, where to say what has been finished,
 * and where its messages go, in their order. */
enum { KEY, FINISHED, FIRST_PLACE };

static ovk_err make_exchange(ovk_ctx *ctx, const ovk__port *p, ovk__port_exchange *x)
{
  const size_t n = (size_t)p->ncorrespondents;
  const size_t places = (size_t)p->noutlets + (size_t)p->nentrances;
  OVK_NEW_ARRAY(ctx, x->texts, 2 * n * FIRST_PLACE + places);
  OVK_NEW_ARRAY(ctx, x->requests, 2 * n);
  OVK_NEW_ARRAY(ctx, x->peers, n);
  for (size_t k = 0; k < n; k++) x->peers[k] = p->correspondents[k].pair->peer;
  return OVK_OK;
}

static void free_exchange(ovk__port_exchange *x)
{
  free(x->texts);
  free(x->requests);
  free(x->peers);
  *x = (ovk__port_exchange){0};
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
  return make_exchange(ctx, p, &p->exchange);
}

static uint64_t address_of(const void *at)
{
  return (uint64_t)(uintptr_t)at;
}

static void write_places(const ovk__port *p, int which, uint64_t *text)
{
  uint64_t *next = text + FIRST_PLACE;
  text[KEY] = p->block.remote_key;
  text[FINISHED] = address_of(p->correspondents[which].its);
  for (int k = 0; k < p->nentrances; k++) {
    const ovk__entrance *e = &p->entrances[k];
    if (e->correspondent == which) *next++ = address_of(e->place);
  }
}

static void read_places(ovk__port *p, int which, const uint64_t *text)
{
  const uint64_t *next = text + FIRST_PLACE;
  p->correspondents[which].key = (uint32_t)text[KEY];
  p->correspondents[which].own = text[FINISHED];
  for (int k = 0; k < p->noutlets; k++) {
    ovk__outlet *o = &p->outlets[k];
    if (o->correspondent == which) o->address = *next++;
  }
}

static ovk_err start_exchange(ovk_ctx *ctx, MPI_Comm comm, int tag, const ovk__port *p,
                              ovk__port_exchange *x)
{
  uint64_t *text = x->texts;
  for (int k = 0; k < p->ncorrespondents; k++) {
    const ovk__correspondent *c = &p->correspondents[k];
    const int nout = FIRST_PLACE + c->ninlets, nin = FIRST_PLACE + c->nsends;
    write_places(p, k, text);
    OVK_TRY_MPI(ctx, MPI_Isend(text, nout, MPI_UINT64_T, c->pair->peer, tag, comm,
                               &x->requests[x->nrequests]));
    x->nrequests++;
    text += nout;
    OVK_TRY_MPI(ctx, MPI_Irecv(text, nin, MPI_UINT64_T, c->pair->peer, tag, comm,
                               &x->requests[x->nrequests]));
    x->nrequests++;
    text += nin;
  }
  return OVK_OK;
}

static void end_exchange(ovk__port *p, const ovk__port_exchange *x)
{
  const uint64_t *text = x->texts;
  for (int k = 0; k < p->ncorrespondents; k++) {
    const ovk__correspondent *c = &p->correspondents[k];
    text += FIRST_PLACE + c->ninlets;
    read_places(p, k, text);
    text += FIRST_PLACE + c->nsends;
  }
}

/* Peers wait for the places also after a failure. */
static ovk_err connect(ovk_ctx *ctx, MPI_Comm comm, int tag, ovk__port *p, ovk__port_exchange *x)
{
  ovk_err err = ovk__endpoint_connect(p->endpoint, x->peers, p->ncorrespondents, tag);
  const ovk_err started = start_exchange(ctx, comm, tag, p, x);
  OVK_TRY_MPI(ctx, MPI_Waitall(x->nrequests, x->requests, MPI_STATUSES_IGNORE));
  if (!err) err = started;
  if (!err) end_exchange(p, x);
  return err;
}

ovk_err ovk__port_connect(ovk_ctx *ctx, MPI_Comm comm, int tag, ovk__port *port)
{
  ovk__port *p = port;
  if (!p->endpoint) return OVK_OK;
  const ovk_err err = connect(ctx, comm, tag, p, &p->exchange);
  if (err) ovk__endpoint_fail(p->endpoint, "a connection could not be made");
  free_exchange(&p->exchange);
  return err;
}

uint64_t ovk__finished_by(const ovk__correspondent *correspondent)
{
  const _Atomic uint64_t *its = (const _Atomic uint64_t *)correspondent->its;
  return atomic_load_explicit(its, memory_order_acquire);
}

/* A place in the queue comes without the peer's doing, or the connection breaks. */
static bool wait_for_room(ovk__port *p, ovk__pair *pair)
{
  while (ovk__pair_room(p->endpoint, pair, 1) < 1) {
    if (ovk__endpoint_failed(p->endpoint)) return false;
  }
  return true;
}

bool ovk__port_finish(ovk__port *port, uint64_t generation)
{
  ovk__port *p = port;
  if (p->barrier) return true;
  *p->finished = generation;
  for (int k = 0; k < p->ncorrespondents; k++) {
    const ovk__correspondent *c = &p->correspondents[k];
    if (!c->ninlets) continue;
    ovk__work work = {.kind = OVK__WRITE,
                      .local = p->finished,
                      .local_key = p->block.local_key,
                      .bytes = sizeof *p->finished,
                      .remote = c->own,
                      .remote_key = c->key};
    work.inlined = work.bytes <= ovk__endpoint_limits(p->endpoint)->inline_most;
    if (!wait_for_room(p, c->pair) || !ovk__pair_post(p->endpoint, c->pair, &work, 1)) return false;
  }
  return true;
}

/* True once nothing of this port can touch the memory any more. */
typedef struct leave_taking {
  ovk__port *port;
  uint64_t generation;
} leave_taking;

static int look(void *self, bool *over)
{
  const leave_taking *l = self;
  ovk__port *p = l->port;
  *over = true;
  for (int k = 0; k < p->ncorrespondents && *over; k++) {
    const ovk__correspondent *c = &p->correspondents[k];
    *over = ovk__pair_is_idle(p->endpoint, c->pair) &&
            (p->barrier || !c->nsends || ovk__finished_by(c) >= l->generation);
    if (!*over) (void)ovk__pair_watch(p->endpoint, c->pair, &p->patience);
  }
  *over = *over || ovk__endpoint_failed(p->endpoint);
  return MPI_SUCCESS;
}

void ovk__port_free(ovk__port *port, ovk_ctx *ctx, uint64_t generation, bool broken)
{
  ovk__port *p = port;
  if (p->block.start && !broken && !ovk__endpoint_failed(p->endpoint)) {
    leave_taking l = {p, generation};
    p->patience = (ovk__patience){0};
    (void)ovk__wait(ctx, 1, look, &l);
  }
  if (!broken) ovk__block_give(&p->block); /* else who knows who writes there */
  free_exchange(&p->exchange);
  ovk__letters_free(&p->letters);
  free(p->correspondents);
  free(p->outlets);
  free(p->entrances);
  free(p->first_outlet);
  free(p->first_entrance);
}
