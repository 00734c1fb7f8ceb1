/* SPDX-License-Identifier: BSD-2-Clause */
/* The channel p2p: the messages of a schedule as MPI point-to-point messages, in the order of
 * rounds. */
#include "comm/engine/channels/channel.h"
#include "core/cancel.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <limits.h>
#include <stdlib.h>

/* Sends of at most this many bytes are detached: this is below the eager limit of MPI
 * implementations, and a copy takes less time than a message. */
enum { MOST_DETACHED = 2048 };

/* Arguments of MPI_Isend or MPI_Irecv. Persistent requests are slower: MPI implementations send a
 * small message within MPI_Isend and then have no more work to do for it. */
typedef struct message {
  ovk_place place; /* address of the data; a detached send reads a copy of it: */
  char *copy[2];   /* [odd generation]; otherwise NULL */
  int count, peer;
} message;

/* Sends are detached in schedules that are barriers if all of them are small: they read copies, and
 * no round waits for their completion. An MPI implementation may report a send as complete only
 * after its receiver has made progress, so a round that waits for its sends would last as long as a
 * peer computes. Detached or not, the data may be overwritten after the round. */
typedef struct p2p {
  const ovk__buffers *buffers;
  MPI_Comm comm;
  int tag;
  MPI_Datatype item; /* an element */
  bool detached;
  int nmessages, nrounds;
  message *messages; /* round by round, sends before receives */
  struct {
    int send, receive;
  } * first;               /* [round]: first message; one more entry for the end */
  MPI_Request *requests;   /* of all messages; if detached, a second set for odd generations */
  int complete;            /* messages of this round known to be complete */
  ovk__send_copies copies; /* detached: the data to copy, */
  char *memory;            /* and where to */
} p2p;

/* Copies can be reused safely only in schedules that are barriers; see executor.c. */
static bool can_detach(const ovk__schedule *s, size_t element)
{
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (ovk__is_message(a, OVK__SEND, OVK__P2P) && a->count * element > MOST_DETACHED) return false;
  }
  return s->barrier;
}

static int nrequests(const p2p *p)
{
  return p->detached ? 2 * p->nmessages : p->nmessages;
}

static ovk_err make_arrays(ovk_ctx *ctx, const ovk__schedule *s, p2p *p)
{
  OVK_NEW_ARRAY(ctx, p->messages, p->nmessages);
  OVK_NEW_ARRAY(ctx, p->first, s->nrounds + 1);
  OVK_NEW_ARRAY(ctx, p->requests, nrequests(p));
  for (int k = 0; k < nrequests(p); k++) p->requests[k] = MPI_REQUEST_NULL;
  if (!p->detached) return OVK_OK;
  OVK_TRY(ovk__send_copies_make(ctx, s, OVK__P2P, p->buffers->element, 0, SIZE_MAX, &p->copies));
  OVK_NEW_ARRAY(ctx, p->memory, p->copies.bytes);
  return OVK_OK;
}

/* The place of a copy for even or odd generations. */
static char *place_of(const p2p *p, const ovk__send_copy *copy, int odd)
{
  return p->memory + copy->offset + (odd ? copy->stride : 0);
}

/* Adds a round's messages of one kind from index n on; returns the next index. */
static int add_messages(const p2p *p, const ovk__schedule *s, const ovk__round *round,
                        ovk__action_kind kind, int n)
{
  const ovk__action *a = s->actions + round->first;
  for (const ovk__action *end = a + round->nmessages; a < end; a++) {
    if (!ovk__is_message(a, kind, OVK__P2P)) continue;
    p->messages[n++] = (message){
        .place = kind == OVK__SEND ? a->from : a->to, .count = (int)a->count, .peer = a->peer};
  }
  return n;
}

static void add_rounds(p2p *p, const ovk__schedule *s)
{
  int n = 0, nsends = 0;
  for (int r = 0; r < s->nrounds; r++) {
    p->first[r].send = n;
    n = add_messages(p, s, &s->rounds[r], OVK__SEND, n);
    p->first[r].receive = n;
    for (int k = p->first[r].send; p->detached && k < n; k++) {
      const ovk__send_copy *copy = &p->copies.list[p->copies.of_send[nsends++]];
      for (int odd = 0; odd < 2; odd++) p->messages[k].copy[odd] = place_of(p, copy, odd);
    }
    n = add_messages(p, s, &s->rounds[r], OVK__RECEIVE, n);
  }
  p->first[s->nrounds].send = n;
}

/* MPI counts in int. */
static ovk_err check_sizes(ovk_ctx *ctx, const ovk__schedule *s, size_t element)
{
  OVK_CHECK(element <= INT_MAX, ctx, OVK_ERR_RANGE, "elements of %zu bytes", element);
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    const bool ours =
        ovk__is_message(a, OVK__SEND, OVK__P2P) || ovk__is_message(a, OVK__RECEIVE, OVK__P2P);
    OVK_CHECK(!ours || a->count <= INT_MAX, ctx, OVK_ERR_RANGE, "a message of %zu elements",
              a->count);
  }
  return OVK_OK;
}

static ovk_err p2p_make(const ovk__channel_args *args, void **out)
{
  ovk_ctx *ctx = args->transport->ctx;
  const ovk__schedule *s = args->schedule;
  const size_t element = args->buffers->element;
  const int nmessages =
      ovk__count_messages(s, OVK__SEND, OVK__P2P) + ovk__count_messages(s, OVK__RECEIVE, OVK__P2P);
  if (nmessages == 0) return OVK_OK;
  OVK_TRY(check_sizes(ctx, s, element));
  OVK_NEW_AT(ctx, *out, p2p, channel);
  *channel = (p2p){.buffers = args->buffers,
                   .comm = args->transport->comm,
                   .tag = args->tag,
                   .item = MPI_DATATYPE_NULL,
                   .detached = can_detach(s, element),
                   .nrounds = s->nrounds,
                   .nmessages = nmessages};
  OVK_TRY(make_arrays(ctx, s, channel));
  OVK_TRY_MPI(ctx, MPI_Type_contiguous((int)element, MPI_BYTE, &channel->item));
  OVK_TRY_MPI(ctx, MPI_Type_commit(&channel->item));
  add_rounds(channel, s);
  return OVK_OK;
}

/* Cancels messages after a failure. Returns false if MPI keeps some of them. */
static bool cancel(p2p *p)
{
  bool over = true;
  for (int first = 0; first < nrequests(p); first += p->nmessages) {
    for (int r = 0; r < p->nrounds; r++) {
      MPI_Request *requests = p->requests + first;
      for (int k = p->first[r].send; k < p->first[r].receive; k++) {
        over = ovk__cancel_send(&requests[k]) && over;
      }
      for (int k = p->first[r].receive; k < p->first[r + 1].send; k++) {
        over = ovk__cancel_receive(&requests[k]) && over;
      }
    }
  }
  return over;
}

static void wait_for_sends(p2p *p)
{
  for (int k = 0; k < nrequests(p); k++) MPI_Wait(&p->requests[k], MPI_STATUS_IGNORE);
}

/* After an abort, MPI may keep messages that could not be cancelled, and then also their buffers.
 */
static bool p2p_free(void *self, uint64_t generation, bool aborted)
{
  p2p *p = self;
  const bool gone = ovk__mpi_is_over();
  bool over = true;
  (void)generation;
  if (p->requests && aborted) {
    over = cancel(p);
  } else if (p->requests && !gone) {
    wait_for_sends(p);
  }
  if (p->item != MPI_DATATYPE_NULL && !gone) MPI_Type_free(&p->item);
  ovk__send_copies_free(&p->copies);
  free(p->requests);
  free(p->messages);
  free(p->first);
  if (over) free(p->memory);
  free(p);
  return over;
}

/* Copies the data of the sends of a round. The previous sends from this place are complete
 * (executor.c), so MPI_Wait does not block; it only frees their requests. */
static int write_copies(p2p *p, int round, int odd, MPI_Request *requests)
{
  int err = MPI_SUCCESS;
  for (int k = p->first[round].send; k < p->first[round].receive && !err; k++) {
    err = MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  }
  for (int k = p->copies.first[round]; k < p->copies.first[round + 1]; k++) {
    const ovk__send_copy *copy = &p->copies.list[k];
    ovk__send_copy_write(copy, p->buffers, place_of(p, copy, odd));
  }
  return err;
}

static MPI_Request *requests_of(const p2p *p, int odd)
{
  return p->detached && odd ? p->requests + p->nmessages : p->requests;
}

static int p2p_start(void *self, int round, uint64_t generation)
{
  p2p *p = self;
  const int send = p->first[round].send, receive = p->first[round].receive;
  const int end = p->first[round + 1].send, odd = (int)(generation & 1);
  MPI_Request *requests = requests_of(p, odd);
  int err = p->detached ? write_copies(p, round, odd, requests) : MPI_SUCCESS;
  for (int k = send; k < end && !err; k++) {
    const message *m = &p->messages[k];
    void *at = m->copy[odd] ? m->copy[odd] : ovk__buffers_at(p->buffers, m->place);
    err = k < receive ? MPI_Isend(at, m->count, p->item, m->peer, p->tag, p->comm, &requests[k])
                      : MPI_Irecv(at, m->count, p->item, m->peer, p->tag, p->comm, &requests[k]);
  }
  p->complete = p->detached ? receive : send;
  return err;
}

static int p2p_test(void *self, int round, uint64_t generation, bool *complete)
{
  p2p *p = self;
  MPI_Request *requests = requests_of(p, (int)(generation & 1));
  int err = MPI_SUCCESS, flag = 1;
  while (p->complete < p->first[round + 1].send) {
    err = MPI_Test(&requests[p->complete], &flag, MPI_STATUS_IGNORE);
    if (err || !flag) break;
    p->complete++;
  }
  *complete = flag;
  return err;
}

const ovk__channel_ops ovk__p2p_channel = {
    .make = p2p_make, .start = p2p_start, .test = p2p_test, .free = p2p_free};
