/* SPDX-License-Identifier: BSD-2-Clause */
/* The channel shm: messages through memory that the ranks of a node share. One rank writes the
 * data, with the number of the generation in front of it, and other ranks read it. */
#include "comm/engine/channels/channel.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

/* The number and a small message share a cache line, so that receiving it costs one cache miss. */
typedef struct line {
  _Atomic uint64_t number; /* generation of the data */
  char data[];
} line;

/* The start of the area of a rank in a slot, alone in its cache line. */
typedef struct head {
  _Atomic uint64_t finished; /* the last generation that this rank has finished */
  char padding[56];
} head;

/* An incoming message: the two places of the sender, for even and odd generations. */
typedef struct receive {
  const line *line[2];
  ovk_place to;
  size_t bytes;
} receive;

/* A send copy is in the area of the sender in a slot: the generation number, followed by the data.
 * The sender writes it once, and all receivers of the same data read it there. */
typedef struct shm {
  const ovk__buffers *buffers;
  ovk__slot slot;          /* no slot if there are no messages */
  ovk__send_copies copies; /* copies of the data to send */
  head *own;               /* head of the area of this rank */
  receive *receives;       /* round by round */
  int *first_receive;      /* [round]; one more entry for the end */
  MPI_Request *requests;   /* one for each send, while offsets are exchanged */
  int complete;            /* receives completed in this generation */
  head **readers;          /* ranks that must have read a copy before it is overwritten: */
  int nreaders;            /* none in schedules that are barriers, see executor.c */
} shm;

static ovk_err check_peers(const ovk__transport_ctx *f, const ovk__schedule *s)
{
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (a->kind != OVK__SEND && a->kind != OVK__RECEIVE) continue;
    if (a->channel != OVK__SHM) continue;
    OVK_CHECK(ovk__transport_node_rank(f, a->peer) != MPI_UNDEFINED, f->ctx, OVK_ERR_UNSUPPORTED,
              "channel=shm between ranks %d and %d, which share no memory", ovk_ctx_rank(f->ctx),
              a->peer);
  }
  return OVK_OK;
}

static void list_receives(const ovk__schedule *s, shm *c)
{
  int n = 0;
  for (int r = 0; r < s->nrounds; r++) {
    const ovk__round round = s->rounds[r];
    c->first_receive[r] = n;
    for (int k = round.first; k < round.first + round.nmessages; k++) {
      const ovk__action *a = &s->actions[k];
      if (!ovk__is_message(a, OVK__RECEIVE, OVK__SHM)) continue;
      c->receives[n++] = (receive){.to = a->to, .bytes = a->count * c->buffers->element};
    }
  }
  c->first_receive[s->nrounds] = n;
}

static ovk_err shm_make(const ovk__channel_args *args, void **out)
{
  ovk_ctx *ctx = args->transport->ctx;
  const ovk__schedule *s = args->schedule;
  const int nsends = ovk__count_messages(s, OVK__SEND, OVK__SHM);
  const int nreceives = ovk__count_messages(s, OVK__RECEIVE, OVK__SHM);
  if (nsends + nreceives == 0) return OVK_OK;
  OVK_TRY(check_peers(args->transport, s));
  OVK_NEW_AT(ctx, *out, shm, channel);
  OVK_TRY(ovk__send_copies_make(ctx, s, OVK__SHM, args->buffers->element, sizeof(line), SIZE_MAX,
                                &channel->copies));
  channel->buffers = args->buffers;
  OVK_NEW_ARRAY(ctx, channel->receives, nreceives);
  OVK_NEW_ARRAY(ctx, channel->first_receive, s->nrounds + 1);
  OVK_NEW_ARRAY(ctx, channel->readers, nsends);
  OVK_NEW_ARRAY(ctx, channel->requests, nsends);
  list_receives(s, channel);
  return OVK_OK;
}

static bool shm_free(void *self, uint64_t generation, bool aborted)
{
  shm *c = self;
  (void)generation, (void)aborted;
  if (c->slot.arena) ovk__slot_release(&c->slot);
  ovk__send_copies_free(&c->copies);
  free(c->receives);
  free(c->first_receive);
  free(c->readers);
  free(c->requests);
  free(c);
  return true;
}

/* Sends the offsets of the copies to their receivers; *nsent: number of sends started, also after
 * an error. */
static ovk_err send_offsets(const ovk__transport_ctx *f, const ovk__schedule *s, int tag, shm *c,
                            int *nsent)
{
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (!ovk__is_message(a, OVK__SEND, OVK__SHM)) continue;
    const ovk__send_copy *copy = &c->copies.list[c->copies.of_send[*nsent]];
    const int to = ovk__transport_node_rank(f, a->peer);
    if (!s->barrier) c->readers[c->nreaders++] = ovk__slot_area(&c->slot, to);
    OVK_TRY_MPI(f->ctx, MPI_Isend(&copy->offset, sizeof copy->offset, MPI_BYTE, to, tag, f->node,
                                  &c->requests[*nsent]));
    ++*nsent;
  }
  return OVK_OK;
}

/* Receives the offsets of the senders' copies. Messages from one sender arrive in the order of
 * rounds. */
static ovk_err receive_offsets(const ovk__transport_ctx *f, const ovk__schedule *s, int tag, shm *c)
{
  receive *next = c->receives;
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (!ovk__is_message(a, OVK__RECEIVE, OVK__SHM)) continue;
    const int from = ovk__transport_node_rank(f, a->peer);
    size_t offset;
    OVK_TRY_MPI(f->ctx,
                MPI_Recv(&offset, sizeof offset, MPI_BYTE, from, tag, f->node, MPI_STATUS_IGNORE));
    const char *place = (char *)ovk__slot_area(&c->slot, from) + sizeof(head) + offset;
    next->line[0] = (const line *)place;
    next->line[1] = (const line *)(place + ovk__send_copy_stride(sizeof(line) + next->bytes));
    next++;
  }
  return OVK_OK;
}

static ovk_err exchange(const ovk__channel_args *args, shm *c)
{
  const ovk__transport_ctx *f = args->transport;
  int nsent = 0;
  c->own = ovk__slot_area(&c->slot, f->arenas.rank);
  ovk_err err = send_offsets(f, args->schedule, args->tag, c, &nsent);
  if (!err) err = receive_offsets(f, args->schedule, args->tag, c);
  /* Also after a failure: the sends read their data from the copies, which are freed then. */
  const int code = MPI_Waitall(nsent, c->requests, MPI_STATUSES_IGNORE);
  if (!err && code) err = ovk__fail_mpi(f->ctx, code, __FILE__, __LINE__, "MPI_Waitall");
  return err;
}

/* If an MPI call fails here on some ranks only, their peers hang. */
static ovk_err connect(const ovk__channel_args *args, void *self, bool *failed)
{
  shm *c = self;
  ovk__slot slot = {0};
  const size_t bytes = c && !*failed ? sizeof(head) + c->copies.bytes : 0;
  OVK_TRY(ovk__slot_take(&args->transport->arenas, bytes, failed, &slot));
  if (*failed || !slot.arena) return OVK_OK;
  if (!c) { /* only other ranks need the slot */
    ovk__slot_release(&slot);
    return OVK_OK;
  }
  c->slot = slot;
  return exchange(args, c);
}

static bool ready(void *self, uint64_t generation)
{
  const shm *c = self;
  for (int k = 0; k < c->nreaders; k++) {
    /* Pairs with shm_finish(): the reader's copies are complete before the place is overwritten. */
    const uint64_t finished = atomic_load_explicit(&c->readers[k]->finished, memory_order_acquire);
    if (finished + 2 < generation) return false;
  }
  return true;
}

static int shm_start(void *self, int round, uint64_t generation)
{
  shm *c = self;
  c->complete = c->first_receive[round];
  for (int k = c->copies.first[round]; k < c->copies.first[round + 1]; k++) {
    const ovk__send_copy *copy = &c->copies.list[k];
    char *place = (char *)(c->own + 1) + copy->offset;
    line *l = (line *)(generation & 1 ? place + copy->stride : place);
    ovk__send_copy_write(copy, c->buffers, l->data);
    /* Pairs with shm_test(): a rank that sees the number sees the data, and all data that this rank
     * had received before the send. For this reason two places suffice in a barrier. */
    atomic_store_explicit(&l->number, generation, memory_order_release);
  }
  return MPI_SUCCESS;
}

static int shm_test(void *self, int round, uint64_t generation, bool *complete)
{
  shm *c = self;
  *complete = false;
  for (; c->complete < c->first_receive[round + 1]; c->complete++) {
    const receive *r = &c->receives[c->complete];
    const line *l = r->line[generation & 1];
    /* Pairs with shm_start(): the data is that of this generation. */
    if (atomic_load_explicit(&l->number, memory_order_acquire) != generation) return MPI_SUCCESS;
    if (r->bytes) memcpy(ovk__buffers_at(c->buffers, r->to), l->data, r->bytes);
  }
  *complete = true;
  return MPI_SUCCESS;
}

static int shm_finish(void *self, uint64_t generation)
{
  const shm *c = self;
  /* Pairs with ready(): all copies of this generation have been made. */
  atomic_store_explicit(&c->own->finished, generation, memory_order_release);
  return MPI_SUCCESS;
}

const ovk__channel_ops ovk__shm_channel = {.make = shm_make,
                                           .connect = connect,
                                           .ready = ready,
                                           .start = shm_start,
                                           .test = shm_test,
                                           .finish = shm_finish,
                                           .free = shm_free};
