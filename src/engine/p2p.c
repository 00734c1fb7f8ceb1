/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages and their requests, in the order of rounds. */
#include "engine/p2p.h"
#include "core/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a message up to which sends are detached: less than what MPIs send eagerly, and copied
 * in less time than a message takes. */
enum { MOST_DETACHED = 2048 };

/* Copies are safe only in schedules that are barriers; see run.c. */
static bool can_detach(const ovk__schedule *s, size_t element)
{
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (ovk__is_message(a, OVK__SEND, OVK__P2P) && a->count * element > MOST_DETACHED) return false;
  }
  return s->barrier;
}

static int nrequests(const ovk__p2p *p)
{
  return p->detached ? 2 * p->nmessages : p->nmessages;
}

static ovk_err make_arrays(ovk_ctx *ctx, const ovk__schedule *s, const ovk__buffers *buffers,
                           ovk__p2p *p)
{
  OVK_NEW_ARRAY(ctx, p->messages, p->nmessages);
  OVK_NEW_ARRAY(ctx, p->first, s->nrounds + 1);
  OVK_NEW_ARRAY(ctx, p->requests, nrequests(p));
  for (int k = 0; k < nrequests(p); k++) p->requests[k] = MPI_REQUEST_NULL;
  if (!p->detached) return OVK_OK;
  OVK_TRY(ovk__letters_make(ctx, s, OVK__P2P, buffers, 0, &p->letters));
  OVK_NEW_ARRAY(ctx, p->copies, p->letters.bytes);
  return OVK_OK;
}

/* Where a letter's copy for even or odd generations is. */
static char *copy_of(const ovk__p2p *p, const ovk__letter *letter, int odd)
{
  return p->copies + letter->offset + (odd ? letter->stride : 0);
}

/* The messages of one kind in a round, from number n on; returns the number after. */
static int add_messages(const ovk__p2p *p, const ovk__schedule *s, const ovk__round *round,
                        ovk__action_kind kind, const ovk__buffers *buffers, int n)
{
  const ovk__action *a = s->actions + round->first;
  for (const ovk__action *end = a + round->nmessages; a < end; a++) {
    if (!ovk__is_message(a, kind, OVK__P2P)) continue;
    void *at = ovk__buffers_at(buffers, kind == OVK__SEND ? a->from : a->to);
    p->messages[n++] = (ovk__message){{at, at}, (int)a->count, a->peer};
  }
  return n;
}

static void add_rounds(ovk__p2p *p, const ovk__schedule *s, const ovk__buffers *buffers)
{
  int n = 0, nsends = 0;
  for (int r = 0; r < s->nrounds; r++) {
    p->first[r].send = n;
    n = add_messages(p, s, &s->rounds[r], OVK__SEND, buffers, n);
    p->first[r].receive = n;
    for (int k = p->first[r].send; p->detached && k < n; k++) {
      const ovk__letter *letter = &p->letters.list[p->letters.of_send[nsends++]];
      for (int odd = 0; odd < 2; odd++) p->messages[k].at[odd] = copy_of(p, letter, odd);
    }
    n = add_messages(p, s, &s->rounds[r], OVK__RECEIVE, buffers, n);
  }
  p->first[s->nrounds].send = n;
}

/* MPI counts in int. */
static ovk_err check_sizes(ovk_ctx *ctx, const ovk__schedule *s, size_t element)
{
  OVK_CHECK(element <= INT_MAX, ctx, OVK_ERR_RANGE, "elements of %zu bytes", element);
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    const bool message = a->kind == OVK__SEND || a->kind == OVK__RECEIVE;
    OVK_CHECK(!message || a->count <= INT_MAX, ctx, OVK_ERR_RANGE, "a message of %zu elements",
              a->count);
  }
  return OVK_OK;
}

ovk_err ovk__p2p_make(ovk_ctx *ctx, MPI_Comm comm, int tag, const ovk__task *task,
                      const ovk__buffers *buffers, ovk__p2p *out)
{
  const ovk__schedule *s = task->schedule;
  *out = (ovk__p2p){.comm = comm,
                    .tag = tag,
                    .item = MPI_DATATYPE_NULL,
                    .detached = can_detach(s, task->element),
                    .nrounds = s->nrounds,
                    .nmessages = ovk__count_messages(s, OVK__SEND, OVK__P2P) +
                                 ovk__count_messages(s, OVK__RECEIVE, OVK__P2P)};
  OVK_TRY(check_sizes(ctx, s, task->element));
  OVK_TRY(make_arrays(ctx, s, buffers, out));
  OVK_TRY_MPI(ctx, MPI_Type_contiguous((int)task->element, MPI_BYTE, &out->item));
  OVK_TRY_MPI(ctx, MPI_Type_commit(&out->item));
  add_rounds(out, s, buffers);
  return OVK_OK;
}

/* After a failure: what arrives late must not be written into freed memory. */
static void call_off_receives(ovk__p2p *p)
{
  for (int first = 0; first < nrequests(p); first += p->nmessages) {
    for (int r = 0; r < p->nrounds; r++) {
      for (int k = p->first[r].receive; k < p->first[r + 1].send; k++) {
        MPI_Request *request = &p->requests[first + k];
        if (*request == MPI_REQUEST_NULL) continue;
        MPI_Cancel(request);
        MPI_Wait(request, MPI_STATUS_IGNORE);
      }
    }
  }
}

/* True if all sends are over. Those that are not must keep what they send. */
static bool end_sends(ovk__p2p *p, bool broken)
{
  bool over = true;
  for (int k = 0; k < nrequests(p); k++) {
    MPI_Request *request = &p->requests[k];
    int flag = 1;
    if (broken) {
      MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(request, MPI_STATUS_IGNORE);
    }
    if (flag) continue;
    over = false;
    MPI_Request_free(request);
  }
  return over;
}

void ovk__p2p_free(ovk__p2p *p2p, bool broken)
{
  if (broken) call_off_receives(p2p);
  const bool over = !p2p->requests || end_sends(p2p, broken);
  if (p2p->item != MPI_DATATYPE_NULL) MPI_Type_free(&p2p->item);
  ovk__letters_free(&p2p->letters);
  free(p2p->requests);
  free(p2p->messages);
  free(p2p->first);
  if (over) free(p2p->copies);
}

/* Copies what a round sends. What left from there before is over: to wait only tells MPI so. */
static int copy_letters(ovk__p2p *p, int round, int odd, MPI_Request *requests)
{
  int err = MPI_SUCCESS;
  for (int k = p->first[round].send; k < p->first[round].receive && !err; k++) {
    err = MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  }
  for (int k = p->letters.first[round]; k < p->letters.first[round + 1]; k++) {
    const ovk__letter *letter = &p->letters.list[k];
    if (letter->bytes) memcpy(copy_of(p, letter, odd), letter->from, letter->bytes);
  }
  return err;
}

static MPI_Request *requests_of(const ovk__p2p *p, int odd)
{
  return p->detached && odd ? p->requests + p->nmessages : p->requests;
}

int ovk__p2p_start(ovk__p2p *p2p, int round, uint64_t generation)
{
  const int send = p2p->first[round].send, receive = p2p->first[round].receive;
  const int end = p2p->first[round + 1].send, odd = (int)(generation & 1);
  MPI_Request *requests = requests_of(p2p, odd);
  int err = p2p->detached ? copy_letters(p2p, round, odd, requests) : MPI_SUCCESS;
  for (int k = send; k < end && !err; k++) {
    const ovk__message *m = &p2p->messages[k];
    err = k < receive ? MPI_Isend(m->at[odd], m->count, p2p->item, m->peer, p2p->tag, p2p->comm,
                                  &requests[k])
                      : MPI_Irecv(m->at[odd], m->count, p2p->item, m->peer, p2p->tag, p2p->comm,
                                  &requests[k]);
  }
  p2p->through = p2p->detached ? receive : send;
  return err;
}

int ovk__p2p_test(ovk__p2p *p2p, int round, uint64_t generation, bool *through)
{
  MPI_Request *requests = requests_of(p2p, (int)(generation & 1));
  int err = MPI_SUCCESS, flag = 1;
  while (p2p->through < p2p->first[round + 1].send) {
    err = MPI_Test(&requests[p2p->through], &flag, MPI_STATUS_IGNORE);
    if (err || !flag) break;
    p2p->through++;
  }
  *through = flag;
  return err;
}
