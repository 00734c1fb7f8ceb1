/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds the plan of all ranks from their schedules. */
#include "model/plan/plan.h"
#include "core/context/mem.h"

#include <stdlib.h>

enum { MAX_SENDS = 1 << 24, MAX_ROUNDS = 1 << 25 }; /* about 1 GB */

/* The receiving side of a message, to be matched with its send. */
typedef struct receipt {
  int32_t from, to;
  int32_t round, order;
  int channel;
} receipt;

/* A plan under construction. */
typedef struct draft {
  ovk_ctx *ctx;
  const ovk_model *model;
  ovk__model_plan *plan; /* rounds and sends ordered by rank until arrange() */
  int32_t *first_round;  /* [rank], and one past the last */
  receipt *receipts;     /* of all ranks */
  int32_t nreceipts;
  int32_t round_room, send_room, receipt_room;
} draft;

/* Grows an array by `more` elements if necessary; returns it, or NULL. */
static void *make_room(void *array, int32_t count, int32_t more, int32_t *room, size_t size)
{
  if (array && more <= *room - count) return array;
  const int32_t wanted = count + more + count / 2 + 16;
  void *larger = realloc(array, (size_t)wanted * size);
  if (larger) *room = wanted;
  return larger;
}

#define OVK_GROW(d, array, count, more, room)                                                      \
  do {                                                                                             \
    void *larger_ = make_room((array), (count), (more), &(room), sizeof *(array));                 \
    OVK_CHECK(larger_, (d)->ctx, OVK_ERR_MEMORY, "no memory for the schedules of %d ranks",        \
              (d)->plan->nranks);                                                                  \
    (array) = larger_;                                                                             \
  } while (0)

static ovk_err make_rooms(draft *d, const ovk__schedule *s)
{
  ovk__model_plan *p = d->plan;
  OVK_CHECK(s->nactions <= MAX_SENDS - p->nsends, d->ctx, OVK_ERR_UNSUPPORTED,
            "sums of %d ranks with more than %d messages are more than the model takes", p->nranks,
            MAX_SENDS);
  OVK_GROW(d, p->rounds, p->nrounds, s->nrounds, d->round_room);
  OVK_GROW(d, p->sends, p->nsends, s->nactions, d->send_room);
  OVK_GROW(d, d->receipts, d->nreceipts, s->nactions, d->receipt_room);
  return OVK_OK;
}

static void add_action(draft *d, int rank, const ovk__action *a, ovk__plan_round *round)
{
  ovk__model_plan *p = d->plan;
  if (a->kind == OVK__COMBINE) round->combined += (uint32_t)a->count;
  if (a->kind != OVK__SEND && a->kind != OVK__RECEIVE) return;
  const int link = ovk__link_between(&d->model->machine, rank, a->peer);
  if (a->kind == OVK__SEND) {
    p->sends[p->nsends++] = (ovk__plan_send){.peer = a->peer,
                                             .count = (uint32_t)a->count,
                                             .channel = (uint8_t)a->channel,
                                             .link = (uint8_t)link};
    round->nsends++;
  } else {
    d->receipts[d->nreceipts] = (receipt){a->peer, rank, p->nrounds, d->nreceipts, (int)a->channel};
    d->nreceipts++;
    round->nreceives[link]++;
    round->received[link] += (uint32_t)a->count;
  }
}

static ovk_err add_schedule(draft *d, int rank, const ovk__schedule *s)
{
  ovk__model_plan *p = d->plan;
  OVK_TRY(make_rooms(d, s));
  d->first_round[rank] = p->nrounds;
  for (int r = 0; r < s->nrounds; r++, p->nrounds++) {
    const ovk__round *from = &s->rounds[r];
    const ovk__action *a = s->actions + from->first;
    ovk__plan_round *round = &p->rounds[p->nrounds];
    *round = (ovk__plan_round){.first_send = p->nsends};
    for (int k = 0; k < from->nmessages + from->nlocal; k++) add_action(d, rank, a + k, round);
  }
  d->first_round[rank + 1] = p->nrounds;
  return OVK_OK;
}

static ovk_err add_all(draft *d, const ovk__algorithm_spec *algorithms,
                       const ovk__hierarchy *hierarchy)
{
  for (int rank = 0; rank < d->plan->nranks; rank++) {
    ovk__schedule schedule = {0};
    const size_t count = (size_t)d->plan->count;
    ovk_err err = d->model->to_root ? ovk__schedule_reduce(d->ctx, algorithms, hierarchy, rank, 0,
                                                           count, &schedule)
                                    : ovk__schedule_allreduce(d->ctx, algorithms, hierarchy, rank,
                                                              count, sizeof(double), &schedule);
    if (!err) err = add_schedule(d, rank, &schedule);
    ovk__schedule_free(&schedule);
    if (err) return err;
  }
  return OVK_OK;
}

/* On each channel, messages from one rank to another arrive in the order of rounds. */
static int compare(const void *left, const void *right)
{
  const receipt *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  if (a->channel != b->channel) return a->channel < b->channel ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

/* Lists the sends as receipts; `round` is not set yet. */
static void list_sends(const draft *d, receipt *out)
{
  const ovk__model_plan *p = d->plan;
  int32_t n = 0;
  for (int rank = 0; rank < p->nranks; rank++) {
    for (int32_t r = d->first_round[rank]; r < d->first_round[rank + 1]; r++) {
      for (int32_t k = 0; k < p->rounds[r].nsends; k++, n++) {
        out[n] = (receipt){rank, p->sends[n].peer, 0, n, p->sends[n].channel};
      }
    }
  }
}

static ovk_err check_shared_memory(const draft *d)
{
  const ovk__model_plan *p = d->plan;
  for (int32_t k = 0; k < p->nsends; k++) {
    OVK_CHECK(
        p->sends[k].channel != OVK__SHM || p->sends[k].link == OVK__NODE_LINK, d->ctx,
        OVK_ERR_UNSUPPORTED,
        "channel=shm needs ranks on one node: there are %d on each, and rank %d is on another",
        d->model->machine.ranks_per_node, p->sends[k].peer);
  }
  return OVK_OK;
}

/* Sets for every send the round that receives it. */
static ovk_err match(const draft *d)
{
  const ovk__model_plan *p = d->plan;
  receipt *sent;
  OVK_CHECK(p->nsends == d->nreceipts, d->ctx, OVK_ERR_INTERNAL, "%d messages sent, %d received",
            p->nsends, d->nreceipts);
  OVK_NEW_ARRAY(d->ctx, sent, p->nsends);
  list_sends(d, sent);
  qsort(sent, (size_t)p->nsends, sizeof *sent, compare);
  qsort(d->receipts, (size_t)d->nreceipts, sizeof *d->receipts, compare);
  ovk_err err = OVK_OK;
  for (int32_t k = 0; k < p->nsends && !err; k++) {
    const receipt *a = &sent[k], *b = &d->receipts[k];
    if (a->from != b->from || a->to != b->to || a->channel != b->channel) {
      err = OVK_FAIL(d->ctx, OVK_ERR_INTERNAL, "nobody receives a message of rank %d", a->from);
    }
    p->sends[a->order].round = b->round;
  }
  free(sent);
  return err;
}

/* The maximum number of rounds of a rank. */
static int32_t max_rounds(const draft *d)
{
  int32_t most = 0;
  for (int rank = 0; rank < d->plan->nranks; rank++) {
    const int32_t n = d->first_round[rank + 1] - d->first_round[rank];
    if (n > most) most = n;
  }
  return most;
}

/* Copies a round and its messages to their new places; `round` of the messages is not renumbered
 * yet. */
static void move_round(const draft *d, int32_t from, ovk__model_plan *to, int32_t place,
                       int32_t *nreceives)
{
  const ovk__plan_round *old = &d->plan->rounds[from];
  to->rounds[place] = *old;
  to->rounds[place].first_send = to->nsends;
  to->rounds[place].first_receive = *nreceives;
  *nreceives += ovk__plan_receives(old);
  for (int32_t k = 0; k < old->nsends; k++) {
    ovk__plan_send *m = &to->sends[to->nsends++];
    *m = d->plan->sends[old->first_send + k];
    m->round = (m->round - d->first_round[m->peer]) * to->nranks + m->peer;
  }
}

/* Reorders the plan from rank by rank to round by round. */
static ovk_err arrange(draft *d)
{
  ovk__model_plan *p = d->plan, to = {.count = p->count, .nranks = p->nranks, .end = p->end};
  const int32_t n = max_rounds(d);
  OVK_CHECK(n <= MAX_ROUNDS / p->nranks, d->ctx, OVK_ERR_UNSUPPORTED,
            "sums of %d ranks in %d rounds are more than the model takes", p->nranks, n);
  to.nrounds = n * p->nranks;
  to.rounds = ovk__zeros((size_t)to.nrounds, sizeof *to.rounds);
  to.sends = ovk__array((size_t)p->nsends, sizeof *to.sends);
  if (!to.rounds || !to.sends) {
    free(to.rounds);
    free(to.sends);
    return OVK_FAIL(d->ctx, OVK_ERR_MEMORY, "no memory for the schedules of %d ranks", p->nranks);
  }
  int32_t nreceives = 0;
  for (int32_t r = 0; r < n; r++) {
    for (int rank = 0; rank < p->nranks; rank++) {
      const int32_t from = d->first_round[rank] + r;
      if (from >= d->first_round[rank + 1]) continue;
      move_round(d, from, &to, r * p->nranks + rank, &nreceives);
      p->end[rank] = (r + 1) * p->nranks + rank;
    }
  }
  free(p->rounds);
  free(p->sends);
  *p = to;
  return OVK_OK;
}

static ovk_err build_plan(draft *d, const ovk__algorithm_spec *algorithms)
{
  ovk__model_plan *p = d->plan;
  ovk__hierarchy hierarchy;
  OVK_NEW_ARRAY(d->ctx, p->end, p->nranks);
  for (int rank = 0; rank < p->nranks; rank++) p->end[rank] = rank;
  OVK_NEW_ZEROS(d->ctx, d->first_round, (size_t)p->nranks + 1);
  ovk_err err = ovk__hierarchy_by_size(d->ctx, p->nranks, algorithms->size, algorithms->ngroupings,
                                       &hierarchy);
  if (!err) err = add_all(d, algorithms, &hierarchy);
  ovk__hierarchy_free(&hierarchy);
  if (!err) err = check_shared_memory(d);
  if (!err) err = match(d);
  return err ? err : arrange(d);
}

ovk_err ovk__plan_make(ovk_ctx *ctx, const ovk_model *model, const ovk__algorithm_spec *algorithms,
                       int count, ovk__model_plan *out)
{
  *out = (ovk__model_plan){.count = count, .nranks = model->nranks};
  draft d = {.ctx = ctx, .model = model, .plan = out};
  const ovk_err err = build_plan(&d, algorithms);
  free(d.first_round);
  free(d.receipts);
  return err;
}

void ovk__plan_free(ovk__model_plan *plan)
{
  free(plan->end);
  free(plan->rounds);
  free(plan->sends);
  *plan = (ovk__model_plan){0};
}
