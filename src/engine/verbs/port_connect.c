/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of ports: ranks tell each other where messages go and what they have finished, and
 * part. */
#include "engine/verbs/port_connect.h"
#include "core/mem.h"
#include "engine/job.h"

#include <stdatomic.h>
#include <stdlib.h>

/* What a rank tells a correspondent: the key to its memory, where to say what has been finished,
 * and where its messages go, in their order. */
enum { KEY, FINISHED, FIRST_PLACE };

ovk_err ovk__port_make_exchange(ovk_ctx *ctx, ovk__port *port)
{
  const ovk__port *p = port;
  ovk__port_exchange *x = &port->exchange;
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
