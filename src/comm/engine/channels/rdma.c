/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages as RDMA writes. A place has the data, padded to whole words, followed by a checksum
 * flag: a word computed from the data and the generation. Parts of a write may become visible in
 * any order. A short message is one write, and it is complete when the flag matches. The flag of a
 * long message depends on the generation alone and is a separate write after the data. */
#include "comm/engine/channels/rdma.h"

#include <stdatomic.h>
#include <string.h>

typedef uint64_t word;

/* A message of at most this many bytes is one write: NICs accept it inlined, and its checksum costs
 * less than a second write. */
enum { SHORT = 192 };

static size_t words_of(size_t bytes)
{
  return (bytes + sizeof(word) - 1) / sizeof(word);
}

static word mix(word flag, word data)
{
  flag = (flag ^ data) * UINT64_C(0x9E3779B97F4A7C15);
  return flag ^ flag >> 29;
}

/* The flag of the message at a place. The NIC may be writing the data at the same time. Relaxed
 * loads suffice, because the flag matches only if all data has arrived. */
static word flag_of(const char *place, size_t bytes, uint64_t generation)
{
  const _Atomic word *data = (const _Atomic word *)(const void *)place;
  word flag = mix(0, generation);
  if (bytes > SHORT) return flag;
  for (size_t k = 0; k < words_of(bytes); k++) {
    flag = mix(flag, atomic_load_explicit(&data[k], memory_order_relaxed));
  }
  return flag;
}

static bool has_arrived(const char *place, size_t bytes, uint64_t generation)
{
  const _Atomic word *data = (const _Atomic word *)(const void *)place;
  /* Pairs with the write of the flag after a long message: its data is visible before. */
  const word flag = atomic_load_explicit(&data[words_of(bytes)], memory_order_acquire);
  if (flag != flag_of(place, bytes, generation)) return false;
  /* Orders the subsequent copy after the loads in flag_of(). */
  atomic_thread_fence(memory_order_acquire);
  return true;
}

/* Offset of a message's place for odd generations from that for even ones. */
static size_t turn(size_t bytes, uint64_t generation)
{
  return generation & 1 ? ovk__send_copy_stride(OVK__FLAG_ROOM + bytes) : 0;
}

static char *copy_place(const ovk__rdma *p, const ovk__send_copy *copy, uint64_t generation)
{
  return p->block.start + copy->offset + turn(copy->bytes, generation);
}

static void write_copies(const ovk__rdma *p, int round, uint64_t generation)
{
  for (int k = p->copies.first[round]; k < p->copies.first[round + 1]; k++) {
    const ovk__send_copy *copy = &p->copies.list[k];
    char *place = copy_place(p, copy, generation);
    ovk__send_copy_write(copy, p->buffers, place);
    const word flag = flag_of(place, copy->bytes, generation);
    memcpy(place + words_of(copy->bytes) * sizeof flag, &flag, sizeof flag);
  }
}

static ovk__work write_work(const ovk__rdma *p, const ovk__rdma_send *o, char *from, size_t bytes,
                            uint64_t to)
{
  return (ovk__work){.kind = OVK__WRITE,
                     .local = from,
                     .local_key = p->block.local_key,
                     .bytes = bytes,
                     .remote = to,
                     .remote_key = p->peers[o->peer].key,
                     .inlined = bytes <= ovk__endpoint_limits(p->endpoint)->inline_most};
}

static ovk__connection *connection_of(const ovk__rdma *p, const ovk__rdma_send *o)
{
  return p->peers[o->peer].connection;
}

static bool post(const ovk__rdma *p, ovk__rdma_send *o, uint64_t generation)
{
  const ovk__send_copy *copy = &p->copies.list[o->copy];
  const size_t data = words_of(copy->bytes) * sizeof(word);
  char *place = copy_place(p, copy, generation);
  const uint64_t to = o->address + turn(copy->bytes, generation);
  ovk__connection *connection = connection_of(p, o);
  ovk__work works[2];
  int n = 0;
  if (copy->bytes > SHORT) works[n++] = write_work(p, o, place, data, to);
  const size_t from = n ? data : 0;
  works[n++] = write_work(p, o, place + from, data + sizeof(word) - from, to + from);
  works[n - 1].signaled = p->window > 0;
  works[n - 1].notifies = connection->notifies;
  if (!ovk__connection_post(p->endpoint, connection, works, n)) return false;
  o->id = connection->posted;
  return true;
}

/* Whether the window allows another write. Writes complete in any order; the window starts at the
 * oldest one. */
static bool has_place(ovk__rdma *p)
{
  if (p->window == 0) return true;
  while (p->oldest < p->sent) {
    const ovk__rdma_send *o = &p->sends[p->oldest];
    ovk__connection *connection = connection_of(p, o);
    if (connection->done < o->id &&
        (!ovk__connection_poll(p->endpoint, connection) || connection->done < o->id))
      break;
    p->oldest++;
  }
  return p->sent - p->oldest < p->window;
}

/* Posts as many sends as the window and the queue allow. */
static bool post_some(ovk__rdma *p, int round, uint64_t generation)
{
  enum { WORKS_MAX = 2 }; /* of a message */
  for (; p->sent < p->first_send[round + 1] && has_place(p); p->sent++) {
    ovk__rdma_send *o = &p->sends[p->sent];
    if (ovk__connection_room(p->endpoint, connection_of(p, o), WORKS_MAX) < WORKS_MAX) break;
    if (!post(p, o, generation)) return false;
  }
  return !ovk__endpoint_failed(p->endpoint);
}

static bool ready(void *self, uint64_t generation)
{
  ovk__rdma *p = self;
  for (int k = 0; !p->barrier && k < p->npeers; k++) {
    const ovk__rdma_peer *c = &p->peers[k];
    if (c->nsends && ovk__rdma_finished_by(c) + 2 < generation) {
      (void)ovk__rdma_check(p, c->connection, generation);
      return false;
    }
  }
  return true;
}

static bool has_come(void *self, uint64_t generation)
{
  const ovk__rdma *p = self;
  for (int k = p->first_receive[0]; k < p->first_receive[1]; k++) {
    const ovk__rdma_receive *r = &p->receives[k];
    if (!has_arrived(r->place + turn(r->bytes, generation), r->bytes, generation)) return false;
  }
  return true;
}

static int rdma_start(void *self, int round, uint64_t generation)
{
  ovk__rdma *p = self;
  p->sent = p->first_send[round];
  p->oldest = p->sent;
  p->complete = p->read = p->first_receive[round];
  p->reported = false;
  write_copies(p, round, generation);
  return post_some(p, round, generation) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
}

/* False: the endpoint has failed. */
static bool move_on(ovk__rdma *p, int round, uint64_t generation, bool *complete)
{
  *complete = false;
  if (!post_some(p, round, generation)) return false;
  if (p->sent < p->first_send[round + 1]) {
    return ovk__rdma_check(p, connection_of(p, &p->sends[p->sent]), generation);
  }
  for (; p->complete < p->first_receive[round + 1]; p->complete++) {
    ovk__rdma_receive *r = &p->receives[p->complete];
    const char *place = r->place + turn(r->bytes, generation);
    if (!has_arrived(place, r->bytes, generation)) {
      return ovk__rdma_check(p, p->peers[r->peer].connection, generation);
    }
    if (r->bytes) memcpy(ovk__buffers_at(p->buffers, r->to), place, r->bytes);
    bool posted = true;
    if (r->read && !ovk__rdma_read(p, r, &posted)) return false;
    if (!posted) return ovk__rdma_check(p, p->peers[r->peer].connection, generation);
  }
  if (p->lent) return ovk__rdma_end(p, generation, complete);
  *complete = true;
  return true;
}

static int rdma_test(void *self, int round, uint64_t generation, bool *complete)
{
  return move_on(self, round, generation, complete) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
}

const ovk__channel_ops ovk__rdma_channel = {.make = ovk__rdma_make,
                                            .connect = ovk__rdma_connect,
                                            .handshakes = ovk__rdma_handshakes,
                                            .connect_local = ovk__rdma_connect_local,
                                            .ready = ready,
                                            .has_come = has_come,
                                            .start = rdma_start,
                                            .test = rdma_test,
                                            .finish = ovk__rdma_finish,
                                            .free = ovk__rdma_free};
