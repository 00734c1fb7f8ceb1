/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchanges addresses with peers, and waits for finished generations before memory is overwritten
 * or freed. */
#include "comm/engine/channels/rdma.h"
#include "core/context/ctx_impl.h"
#include "core/job.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The words of a handshake: the address of this end of the connection, the key of the memory of
 * this rank, and the address for the finished generation of the peer. The places of the messages of
 * the peer follow, in order. If buffers are lent, the key of the input of this rank and the
 * addresses of the messages to the peer follow. */
enum { ADDRESS, KEY = sizeof(ovk__endpoint_address) / sizeof(uint64_t), FINISHED, FIRST_PLACE };

static uint64_t address_of(const void *at)
{
  return (uint64_t)(uintptr_t)at;
}

static void write_handshake(const ovk__rdma *p, int which, uint64_t *words)
{
  ovk__endpoint_address own;
  uint64_t *next = words + FIRST_PLACE;
  ovk__connection_address(p->endpoint, p->peers[which].connection, &own);
  memcpy(&words[ADDRESS], &own, sizeof own);
  words[KEY] = p->block.remote_key;
  words[FINISHED] = address_of(p->peers[which].its);
  for (int k = 0; k < p->nreceives; k++) {
    const ovk__rdma_receive *e = &p->receives[k];
    if (e->peer == which) *next++ = address_of(e->place);
  }
  if (p->lent) *next++ = p->lent->input.remote_key;
  for (int k = 0; p->lent && k < p->nsends; k++) {
    const ovk__rdma_send *o = &p->sends[k];
    const ovk_place from = p->copies.list[o->copy].from;
    if (o->peer == which) *next++ = address_of(ovk__buffers_at(p->buffers, from));
  }
}

static ovk_err read_handshake(ovk__rdma *p, int which, const uint64_t *words)
{
  ovk__endpoint_address its;
  const uint64_t *next = words + FIRST_PLACE;
  memcpy(&its, &words[ADDRESS], sizeof its);
  p->peers[which].key = (uint32_t)words[KEY];
  p->peers[which].own = words[FINISHED];
  for (int k = 0; k < p->nsends; k++) {
    ovk__rdma_send *o = &p->sends[k];
    if (o->peer == which) o->address = *next++;
  }
  if (p->lent) p->peers[which].input_key = (uint32_t)*next++;
  for (int k = 0; p->lent && k < p->nreceives; k++) {
    if (p->receives[k].peer == which) p->receives[k].from = *next++;
  }
  return ovk__connection_connect(p->endpoint, p->peers[which].connection, &its);
}

ovk_err ovk__rdma_write_handshakes(ovk__rdma *rdma)
{
  const ovk__rdma *p = rdma;
  ovk__handshakes *handshakes = &rdma->handshakes;
  OVK_TRY(ovk__handshakes_make(p->ctx, p->npeers, handshakes));
  for (int k = 0; k < p->npeers; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    handshakes->list[k] =
        (ovk__handshake){.peer = c->connection->peer,
                         .nout = FIRST_PLACE + c->nreceives + (p->lent ? 1 + c->nsends : 0),
                         .nin = FIRST_PLACE + c->nsends + (p->lent ? 1 + c->nreceives : 0)};
  }
  OVK_TRY(ovk__handshakes_allot(p->ctx, handshakes));
  for (int k = 0; k < p->npeers; k++) write_handshake(p, k, handshakes->list[k].out);
  return OVK_OK;
}

ovk__handshakes *ovk__rdma_handshakes(void *self)
{
  ovk__rdma *p = self;
  return &p->handshakes;
}

ovk_err ovk__rdma_connect_local(void *self)
{
  ovk__rdma *p = self;
  ovk_err err = OVK_OK;
  for (int k = 0; k < p->npeers && !err; k++) err = read_handshake(p, k, p->handshakes.list[k].in);
  if (err) ovk__endpoint_fail(p->endpoint, "cannot connect to a peer"); /* for peers, too */
  ovk__handshakes_free(&p->handshakes);
  return err;
}

/* Any rank may be a peer, so no rank may connect if another one has failed. */
ovk_err ovk__rdma_connect(const ovk__channel_args *args, void *self, bool *failed)
{
  const ovk__transport_ctx *f = args->transport;
  ovk__rdma *p = self;
  if (!f->endpoint) return OVK_OK;
  int some = *failed;
  OVK_TRY_MPI(f->ctx, MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, f->comm));
  *failed = some;
  if (some || !p) return OVK_OK;
  const ovk_err err = ovk__handshakes_exchange(p->ctx, &p->handshakes, f->comm, args->tag);
  if (err) ovk__endpoint_fail(p->endpoint, "cannot exchange addresses");
  return err ? err : ovk__rdma_connect_local(p);
}

uint64_t ovk__rdma_finished_by(const ovk__rdma_peer *peer)
{
  const _Atomic uint64_t *its = (const _Atomic uint64_t *)peer->its;
  /* Pairs with the write of the peer in ovk__rdma_finish(), which follows its copies from the
   * receive places. */
  return atomic_load_explicit(its, memory_order_acquire);
}

bool ovk__rdma_check(ovk__rdma *rdma, ovk__connection *connection, uint64_t generation)
{
  ovk__rdma *p = rdma;
  if (p->timed_generation != generation) p->timer = (ovk__timer){0};
  p->timed_generation = generation;
  return ovk__connection_check(p->endpoint, connection, &p->timer);
}

/* Queue entries become free without action of the peer, or the connection breaks. */
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
  return p->barrier || p->reported ? MPI_SUCCESS : ovk__rdma_report(p, generation);
}

int ovk__rdma_report(ovk__rdma *rdma, uint64_t generation)
{
  ovk__rdma *p = rdma;
  *p->finished = generation;
  for (int k = 0; k < p->npeers; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    if (!c->nreceives) continue;
    ovk__work work = {.kind = OVK__WRITE,
                      .local = p->finished,
                      .local_key = p->block.local_key,
                      .bytes = sizeof *p->finished,
                      .remote = c->own,
                      .remote_key = c->key,
                      .notifies = c->connection->notifies};
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

/* *over: neither the NIC of this rank nor a peer accesses the memory any more. */
static int test_shutdown(void *self, bool *over)
{
  const shutdown *s = self;
  ovk__rdma *p = s->rdma;
  *over = true;
  /* Entered in each test only: meanwhile an agent serves other requests, and those of peers. */
  ovk__endpoint_enter(p->endpoint);
  for (int k = 0; k < p->npeers && *over; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    *over = ovk__connection_is_idle(p->endpoint, c->connection) &&
            (p->barrier || !c->nsends || ovk__rdma_finished_by(c) >= s->generation);
    if (!*over) (void)ovk__connection_check(p->endpoint, c->connection, &p->timer);
  }
  ovk__endpoint_leave(p->endpoint);
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
  ovk__handshakes_free(&p->handshakes);
  ovk__send_copies_free(&p->copies);
  free(p->peers);
  free(p->sends);
  free(p->receives);
  free(p->first_send);
  free(p->first_receive);
  free(p);
  return true;
}
