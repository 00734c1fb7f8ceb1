/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that the schedules of all ranks match: compares both ends of each message and simulates
 * the rounds without data. */
#include "comm/engine/schedule/check.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* One end of a message: elements, and the round in which it starts. Two ints, as MPI_2INT. */
typedef struct end {
  int count, round;
} end;

/* The ends of this rank's messages in one direction, peer by peer in the order of the schedule. */
typedef struct side {
  int n;
  int *counts, *first; /* [peer]: number of messages, and the first */
  end *own, *other;    /* this rank's ends, and those of the peers */
} side;

typedef struct match {
  ovk_ctx *ctx;
  const ovk__schedule *schedule;
  int nranks;
  side out, in;
  int *index;        /* [action]: of a message, the place of its ends in its side's lists */
  int *reached;      /* [rank]: the round in which it is */
  int round, action; /* where this rank is: its messages before this one are complete */
} match;

static ovk_err list_side(const match *m, ovk__action_kind kind, side *s)
{
  const ovk__schedule *schedule = m->schedule;
  OVK_NEW_ZEROS(m->ctx, s->counts, m->nranks);
  OVK_NEW_ARRAY(m->ctx, s->first, m->nranks);
  for (int k = 0; k < schedule->nactions; k++) {
    if (schedule->actions[k].kind == kind) s->counts[schedule->actions[k].peer]++;
  }
  for (int peer = 0; peer < m->nranks; peer++) {
    s->first[peer] = s->n;
    s->n += s->counts[peer];
    s->counts[peer] = 0;
  }
  OVK_NEW_ARRAY(m->ctx, s->own, s->n);
  OVK_NEW_ARRAY(m->ctx, s->other, s->n);
  for (int r = 0; r < schedule->nrounds; r++) {
    const ovk__round *round = &schedule->rounds[r];
    for (int k = round->first; k < round->first + round->nmessages; k++) {
      const ovk__action *a = &schedule->actions[k];
      if (a->kind != kind) continue;
      m->index[k] = s->first[a->peer] + s->counts[a->peer]++;
      s->own[m->index[k]] = (end){(int)a->count, r};
    }
  }
  return OVK_OK;
}

static ovk_err list(match *m)
{
  OVK_NEW_ARRAY(m->ctx, m->index, m->schedule->nactions);
  OVK_TRY(list_side(m, OVK__SEND, &m->out));
  OVK_TRY(list_side(m, OVK__RECEIVE, &m->in));
  OVK_NEW_ZEROS(m->ctx, m->reached, m->nranks);
  return OVK_OK;
}

static ovk_err compare_numbers(match *m)
{
  int *sent = m->reached; /* not in use yet */
  OVK_TRY_MPI(m->ctx, MPI_Alltoall(m->out.counts, 1, MPI_INT, sent, 1, MPI_INT, m->ctx->comm));
  for (int peer = 0; peer < m->nranks; peer++) {
    OVK_CHECK(sent[peer] == m->in.counts[peer], m->ctx, OVK_ERR_ARG,
              "schedules: rank %d sends %d messages to rank %d, which receives %d", peer,
              sent[peer], m->ctx->rank, m->in.counts[peer]);
  }
  return OVK_OK;
}

/* to->other <- the peers' from->own. */
static ovk_err exchange(const match *m, const side *from, const side *to)
{
  OVK_TRY_MPI(m->ctx, MPI_Alltoallv(from->own, from->counts, from->first, MPI_2INT, to->other,
                                    to->counts, to->first, MPI_2INT, m->ctx->comm));
  return OVK_OK;
}

static ovk_err compare_ends(const match *m)
{
  const side *in = &m->in;
  OVK_TRY(exchange(m, &m->out, in));
  OVK_TRY(exchange(m, in, &m->out));
  for (int peer = 0; peer < m->nranks; peer++) {
    for (int k = 0; k < in->counts[peer]; k++) {
      const end own = in->own[in->first[peer] + k], other = in->other[in->first[peer] + k];
      OVK_CHECK(own.count == other.count, m->ctx, OVK_ERR_ARG,
                "schedules: message %d from rank %d to rank %d: %d items are sent in round %d, but "
                "%d received in round %d",
                k + 1, peer, m->ctx->rank, other.count, other.round + 1, own.count, own.round + 1);
    }
  }
  return OVK_OK;
}

/* Whether the peer has reached its end of a message. */
static bool has_met(const match *m, int action)
{
  const ovk__action *a = &m->schedule->actions[action];
  const side *s = a->kind == OVK__SEND ? &m->out : &m->in;
  return s->other[m->index[action]].round <= m->reached[a->peer];
}

/* Advances to the first message whose other end no rank has reached. */
static void go_on(match *m)
{
  const ovk__schedule *s = m->schedule;
  for (; m->round < s->nrounds; m->round++) {
    const ovk__round *round = &s->rounds[m->round];
    if (m->action < round->first)
      m->action = round->first; /* after the local work of the last round */
    for (; m->action < round->first + round->nmessages; m->action++) {
      if (!has_met(m, m->action)) return;
    }
  }
}

/* Each rank advances as far as the rounds of the others allow. If no rank advances, all see the
 * same sum of rounds and stop together. */
static ovk_err go_through(match *m)
{
  ovk_ctx *ctx = m->ctx;
  for (int64_t before = -1, sum = 0;; before = sum, sum = 0) {
    OVK_TRY_MPI(ctx, MPI_Allgather(&m->round, 1, MPI_INT, m->reached, 1, MPI_INT, ctx->comm));
    for (int rank = 0; rank < m->nranks; rank++) sum += m->reached[rank];
    if (sum == before) break;
    go_on(m);
  }
  OVK_CHECK(m->round == m->schedule->nrounds, ctx, OVK_ERR_ARG,
            "schedules: rank %d waits in round %d for rank %d, which never reaches that message",
            ctx->rank, m->round + 1, m->schedule->actions[m->action].peer);
  return OVK_OK;
}

static void free_side(const side *s)
{
  free(s->counts);
  free(s->first);
  free(s->own);
  free(s->other);
}

ovk_err ovk__schedules_match(ovk_ctx *ctx, const ovk__schedule *schedule)
{
  match m = {.ctx = ctx, .schedule = schedule, .nranks = ctx->size};
  ovk_err err = ovk__agree(ctx, list(&m));
  if (!err) err = ovk__agree(ctx, compare_numbers(&m));
  if (!err) err = ovk__agree(ctx, compare_ends(&m));
  if (!err) err = ovk__agree(ctx, go_through(&m));
  free(m.index);
  free(m.reached);
  free_side(&m.out);
  free_side(&m.in);
  return err;
}
