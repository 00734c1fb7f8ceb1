/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchange of addresses with peers, and of finished generations, before memory is overwritten or
 * freed. */
#include "base/mem.h"
#include "core/job.h"
#include "core/mpi_finalized.h"
#include "engine/channels/rdma.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Words that a rank sends to a peer: the key of its memory, the address for the peer's finished
 * generation, and the places of the peer's messages, in order. */
enum { KEY, FINISHED, FIRST_PLACE };

ovk_err ovk__rdma_make_exchange(ovk__rdma *rdma)
{
  ovk_ctx *ctx = rdma->ctx;
  const ovk__rdma *p = rdma;
  ovk__rdma_exchange *x = &rdma->exchange;
  const size_t n = (size_t)p->npeers;
  const size_t places = (size_t)p->nsends + (size_t)p->nreceives;
  OVK_NEW_ARRAY(ctx, x->words, 2 * n * FIRST_PLACE + places);
  OVK_NEW_ARRAY(ctx, x->requests, 2 * n);
  OVK_NEW_ARRAY(ctx, x->peers, n);
  for (size_t k = 0; k < n; k++) x->peers[k] = p->peers[k].connection->peer;
  return OVK_OK;
}

static void free_exchange(ovk__rdma_exchange *x)
{
  free(x->words);
  free(x->requests);
  free(x->peers);
  *x = (ovk__rdma_exchange){0};
}

static uint64_t address_of(const void *at)
{
  return (uint64_t)(uintptr_t)at;
}

static void write_places(const ovk__rdma *p, int which, uint64_t *words)
{
  uint64_t *next = words + FIRST_PLACE;
  words[KEY] = p->block.remote_key;
  words[FINISHED] = address_of(p->peers[which].its);
  for (int k = 0; k < p->nreceives; k++) {
    const ovk__rdma_receive *e = &p->receives[k];
    if (e->peer == which) *next++ = address_of(e->place);
  }
}

static void read_places(ovk__rdma *p, int which, const uint64_t *words)
{
  const uint64_t *next = words + FIRST_PLACE;
  p->peers[which].key = (uint32_t)words[KEY];
  p->peers[which].own = words[FINISHED];
  for (int k = 0; k < p->nsends; k++) {
    ovk__rdma_send *o = &p->sends[k];
    if (o->peer == which) o->address = *next++;
  }
}

static ovk_err start_exchange(MPI_Comm comm, int tag, const ovk__rdma *p, ovk__rdma_exchange *x)
{
  uint64_t *words = x->words;
  for (int k = 0; k < p->npeers; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    const int nout = FIRST_PLACE + c->nreceives, nin = FIRST_PLACE + c->nsends;
    write_places(p, k, words);
    OVK_TRY_MPI(p->ctx, MPI_Isend(words, nout, MPI_UINT64_T, c->connection->peer, tag, comm,
                                  &x->requests[x->nrequests]));
    x->nrequests++;
    words += nout;
    OVK_TRY_MPI(p->ctx, MPI_Irecv(words, nin, MPI_UINT64_T, c->connection->peer, tag, comm,
                                  &x->requests[x->nrequests]));
    x->nrequests++;
    words += nin;
  }
  return OVK_OK;
}

static void end_exchange(ovk__rdma *p, const ovk__rdma_exchange *x)
{
  const uint64_t *words = x->words;
  for (int k = 0; k < p->npeers; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    words += FIRST_PLACE + c->nreceives;
    read_places(p, k, words);
    words += FIRST_PLACE + c->nsends;
  }
}

/* The exchange takes place also if connecting failed, since peers wait for it. */
static ovk_err connect(MPI_Comm comm, int tag, ovk__rdma *p, ovk__rdma_exchange *x)
{
  ovk_err err = ovk__endpoint_connect(p->endpoint, x->peers, p->npeers, tag);
  const ovk_err started = start_exchange(comm, tag, p, x);
  OVK_TRY_MPI(p->ctx, MPI_Waitall(x->nrequests, x->requests, MPI_STATUSES_IGNORE));
  if (!err) err = started;
  if (!err) end_exchange(p, x);
  return err;
}

/* Any rank may be a peer, so all ranks must have got here without failing. */
ovk_err ovk__rdma_connect(const ovk__traffic *traffic, void *self, bool *failed)
{
  const ovk__fabric *f = traffic->fabric;
  ovk__rdma *p = self;
  if (!f->endpoint) return OVK_OK;
  int some = *failed;
  OVK_TRY_MPI(f->ctx, MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, f->comm));
  *failed = some;
  if (some || !p) return OVK_OK;
  const ovk_err err = connect(f->comm, traffic->tag, p, &p->exchange);
  if (err) ovk__endpoint_fail(p->endpoint, "a connection could not be made");
  free_exchange(&p->exchange);
  return err;
}

uint64_t ovk__rdma_finished_by(const ovk__rdma_peer *peer)
{
  const _Atomic uint64_t *its = (const _Atomic uint64_t *)peer->its;
  /* Pairs with the peer's write in ovk__rdma_finish(), which follows its copies out of the receive
   * places. */
  return atomic_load_explicit(its, memory_order_acquire);
}

/* Queue entries become free without action by the peer, or the connection breaks. */
static bool wait_for_room(ovk__rdma *p, ovk__connection *connection)
{
  while (ovk__connection_room(p->endpoint, connection, 1) < 1) {
    if (ovk__endpoint_failed(p->endpoint)) return false;
  }
  return true;
}

int ovk__rdma_finish(void *self, uint64_t generation)
{
  ovk__rdma *p = self;
  if (p->barrier) return MPI_SUCCESS;
  *p->finished = generation;
  for (int k = 0; k < p->npeers; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    if (!c->nreceives) continue;
    ovk__work work = {.kind = OVK__WRITE,
                      .local = p->finished,
                      .local_key = p->block.local_key,
                      .bytes = sizeof *p->finished,
                      .remote = c->own,
                      .remote_key = c->key};
    work.inlined = work.bytes <= ovk__endpoint_limits(p->endpoint)->inline_most;
    if (!wait_for_room(p, c->connection) ||
        !ovk__connection_post(p->endpoint, c->connection, &work, 1)) {
      return OVK__NETWORK_FAILED;
    }
  }
  return MPI_SUCCESS;
}

typedef struct shutdown {
  ovk__rdma *rdma;
  uint64_t generation;
} shutdown;

/* *over: neither this rank's adapter nor a peer accesses the memory any more. */
static int test_shutdown(void *self, bool *over)
{
  const shutdown *s = self;
  ovk__rdma *p = s->rdma;
  *over = true;
  for (int k = 0; k < p->npeers && *over; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    *over = ovk__connection_is_idle(p->endpoint, c->connection) &&
            (p->barrier || !c->nsends || ovk__rdma_finished_by(c) >= s->generation);
    if (!*over) (void)ovk__connection_check(p->endpoint, c->connection, &p->timer);
  }
  *over = *over || ovk__endpoint_failed(p->endpoint);
  return MPI_SUCCESS;
}

bool ovk__rdma_free(void *self, uint64_t generation, bool aborted)
{
  ovk__rdma *p = self;
  if (p->block.start && !aborted && !ovk__endpoint_failed(p->endpoint) && !ovk__mpi_is_over()) {
    shutdown s = {p, generation};
    p->timer = (ovk__timer){0};
    (void)ovk__wait(p->ctx, 1, test_shutdown, &s);
  }
  if (!aborted) ovk__block_give(&p->block); /* otherwise a peer may still write to it */
  free_exchange(&p->exchange);
  ovk__send_copies_free(&p->copies);
  free(p->peers);
  free(p->sends);
  free(p->receives);
  free(p->first_send);
  free(p->first_receive);
  free(p);
  return true;
}
