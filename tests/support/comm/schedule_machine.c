/* SPDX-License-Identifier: BSD-2-Clause */
/* Carries out the schedules of all ranks in one process. Sends and receives are matched beforehand:
 * the n-th send with the n-th receive between two ranks on a channel, as in MPI with one tag. */
#include "support/comm/schedule_machine.h"
#include "support/random.h"
#include "support/test_main.h"

#include <ovkrylov/comm/schedule.h>

static void *zeros(size_t n, size_t size)
{
  void *array = calloc(n + 1, size);
  assert_non_null(array);
  return array;
}

static double add(double to, double from)
{
  return to + from;
}

machine *machine_make(int nranks)
{
  machine *m = zeros(1, sizeof *m);
  m->nranks = nranks;
  m->ranks = zeros((size_t)nranks, sizeof *m->ranks);
  m->combine = add;
  return m;
}

void machine_free(machine **place)
{
  machine *m = *place;
  if (!m) return;
  for (int rank = 0; rank < m->nranks; rank++) {
    machine_rank *r = &m->ranks[rank];
    ovk__schedule_free(&r->schedule);
    for (int b = 0; b < OVK__NBUFFERS; b++) {
      free(r->buffer[b].at);
      free(r->buffer[b].sent);
      free(r->buffer[b].received);
    }
    free(r->message_of);
  }
  for (int k = 0; k < m->nmessages; k++) free(m->messages[k].data);
  free(m->messages);
  free(m->ranks);
  free(m);
  *place = NULL;
}

double *machine_give(machine *m, int rank, ovk_buffer buffer, size_t length)
{
  machine_buffer *b = &m->ranks[rank].buffer[buffer];
  b->at = zeros(length, sizeof *b->at);
  for (size_t k = 0; k < length; k++) b->at[k] = NAN; /* unless written: of no use */
  b->length = length;
  b->sent = zeros(length, sizeof *b->sent);
  b->received = zeros(length, sizeof *b->received);
  return b->at;
}

double *machine_buffer_of(const machine *m, int rank, ovk_buffer buffer)
{
  return m->ranks[rank].buffer[buffer].at;
}

/* A send or a receive, to be matched with the other end. */
typedef struct end {
  int from, to;
  ovk__channel channel;
  int rank, action, round; /* its position */
  size_t count;
} end;

/* Order of two ends: by ranks and channel, then that of the schedule. */
static int compare_ends(const void *left, const void *right)
{
  const end *a = left, *b = right;
  if (a->from != b->from) return a->from - b->from;
  if (a->to != b->to) return a->to - b->to;
  if (a->channel != b->channel) return (int)a->channel - (int)b->channel;
  return a->action - b->action;
}

static int count_actions(const machine *m, ovk__action_kind kind)
{
  int n = 0;
  for (int rank = 0; rank < m->nranks; rank++) {
    const ovk__schedule *s = &m->ranks[rank].schedule;
    for (int k = 0; k < s->nactions; k++) n += s->actions[k].kind == kind;
  }
  return n;
}

/* All sends, or all receives, sorted. */
static end *list_ends(const machine *m, ovk__action_kind kind, int *n)
{
  end *ends = zeros((size_t)count_actions(m, kind), sizeof *ends);
  *n = 0;
  for (int rank = 0; rank < m->nranks; rank++) {
    const ovk__schedule *s = &m->ranks[rank].schedule;
    for (int r = 0; r < s->nrounds; r++) {
      for (int k = s->rounds[r].first; k < s->rounds[r].first + s->rounds[r].nmessages; k++) {
        const ovk__action *a = &s->actions[k];
        if (a->kind != kind) continue;
        assert_in_range(a->peer, 0, m->nranks - 1);
        assert_int_not_equal(a->peer, rank);
        const bool sends = kind == OVK__SEND;
        ends[(*n)++] =
            (end){sends ? rank : a->peer, sends ? a->peer : rank, a->channel, rank, k, r, a->count};
      }
    }
  }
  qsort(ends, (size_t)*n, sizeof *ends, compare_ends);
  return ends;
}

static void match(machine *m)
{
  int nsends, nreceives;
  scoped_array end *sends = list_ends(m, OVK__SEND, &nsends),
                   *receives = list_ends(m, OVK__RECEIVE, &nreceives);
  assert_int_equal(nsends, nreceives);
  m->nmessages = nsends;
  m->messages = zeros((size_t)nsends, sizeof *m->messages);
  for (int k = 0; k < nsends; k++) {
    assert_int_equal(sends[k].from, receives[k].from);
    assert_int_equal(sends[k].to, receives[k].to);
    assert_int_equal(sends[k].channel, receives[k].channel);
    assert_int_equal(sends[k].count, receives[k].count);
    m->messages[k].channel = sends[k].channel;
    m->messages[k].count = sends[k].count;
    m->messages[k].data = zeros(sends[k].count, sizeof *m->messages[k].data);
    m->ranks[sends[k].rank].message_of[sends[k].action] = k;
    m->ranks[receives[k].rank].message_of[receives[k].action] = k;
  }
}

static void prepare(machine *m)
{
  for (int rank = 0; rank < m->nranks; rank++) {
    machine_rank *r = &m->ranks[rank];
    machine_give(m, rank, OVK_WORK, r->schedule.work);
    r->message_of = zeros((size_t)r->schedule.nactions, sizeof *r->message_of);
  }
  match(m);
}

/* The buffer of a place, which must have at least `count` elements from there on. */
static machine_buffer *buffer_at(machine_rank *r, ovk_place place, size_t count)
{
  machine_buffer *b = &r->buffer[place.buffer];
  assert_true(place.first + count <= b->length);
  return b;
}

/* The elements there; not NULL, also where there are none. */
static double *elements_at(machine_rank *r, ovk_place place, size_t count)
{
  static double none;
  const machine_buffer *b = buffer_at(r, place, count);
  return count ? b->at + place.first : &none;
}

static const double *read_from(machine_rank *r, ovk_place place, size_t count)
{
  const double *from = elements_at(r, place, count);
  for (size_t k = 0; k < count; k++) {
    if (isnan(from[k])) fail_msg("element %zu was not written before it is read", place.first + k);
  }
  return from;
}

static double *write_to(machine_rank *r, ovk_place place, size_t count)
{
  assert_int_not_equal(place.buffer, OVK_INPUT);
  return elements_at(r, place, count);
}

static void post_send(machine *m, machine_rank *r, int action)
{
  const ovk__action *a = &r->schedule.actions[action];
  machine_message *message = &m->messages[r->message_of[action]];
  const machine_buffer *b = buffer_at(r, a->from, a->count);
  const double *from = read_from(r, a->from, a->count);
  if (a->count) memcpy(message->data, from, a->count * sizeof *from);
  message->in_flight = true;
  message->hops = r->hops + 1;
  for (size_t k = 0; k < a->count; k++) b->sent[a->from.first + k] = r->round + 1;
}

/* A receive must not overlap memory that is sent or received in the same round. */
static void post_receive(machine_rank *r, int action)
{
  const ovk__action *a = &r->schedule.actions[action];
  const machine_buffer *b = buffer_at(r, a->to, a->count);
  for (size_t k = a->to.first; k < a->to.first + a->count; k++) {
    assert_int_not_equal(b->sent[k], r->round + 1);
    assert_int_not_equal(b->received[k], r->round + 1);
    b->received[k] = r->round + 1;
  }
}

static void start_round(machine *m, machine_rank *r)
{
  const ovk__round round = r->schedule.rounds[r->round];
  const ovk__action *actions = r->schedule.actions;
  for (int k = round.first; k < round.first + round.nmessages; k++) {
    assert_true(actions[k].kind == OVK__SEND || actions[k].kind == OVK__RECEIVE);
    if (actions[k].kind == OVK__SEND) post_send(m, r, k);
  }
  for (int k = round.first; k < round.first + round.nmessages; k++) {
    if (actions[k].kind == OVK__RECEIVE) post_receive(r, k);
  }
  r->started = true;
}

static bool all_arrived(const machine *m, const machine_rank *r)
{
  const ovk__round round = r->schedule.rounds[r->round];
  for (int k = round.first; k < round.first + round.nmessages; k++) {
    const bool receives = r->schedule.actions[k].kind == OVK__RECEIVE;
    if (receives && !m->messages[r->message_of[k]].in_flight) return false;
  }
  return true;
}

static void take(machine *m, machine_rank *r, int action)
{
  const ovk__action *a = &r->schedule.actions[action];
  machine_message *message = &m->messages[r->message_of[action]];
  double *to = write_to(r, a->to, a->count);
  if (a->count) memcpy(to, message->data, a->count * sizeof *to);
  message->in_flight = false;
  if (message->hops > r->hops) r->hops = message->hops;
}

static void work_locally(machine *m, machine_rank *r, int action)
{
  const ovk__action *a = &r->schedule.actions[action];
  assert_true(a->kind == OVK__COMBINE || a->kind == OVK__COPY);
  const double *from = read_from(r, a->from, a->count);
  double *to = write_to(r, a->to, a->count);
  if (a->kind == OVK__COPY) {
    memmove(to, from, a->count * sizeof *to);
    return;
  }
  read_from(r, a->to, a->count);
  for (size_t k = 0; k < a->count; k++) to[k] = m->combine(to[k], from[k]);
}

static void finish_round(machine *m, machine_rank *r)
{
  const ovk__round round = r->schedule.rounds[r->round];
  const int behind = round.first + round.nmessages;
  for (int k = round.first; k < behind; k++) {
    if (r->schedule.actions[k].kind == OVK__RECEIVE) take(m, r, k);
  }
  for (int k = behind; k < behind + round.nlocal; k++) work_locally(m, r, k);
  r->round++;
  r->started = false;
}

static bool is_complete(const machine_rank *r)
{
  return r->round == r->schedule.nrounds;
}

/* One step of a rank; false if it is complete or must wait. */
static bool move(machine *m, machine_rank *r)
{
  if (is_complete(r)) return false;
  if (!r->started) {
    start_round(m, r);
    return true;
  }
  if (!all_arrived(m, r)) return false;
  finish_round(m, r);
  return true;
}

/* Runs until no rank can continue; `held` does not move. */
static void run_without(machine *m, int held, uint64_t seed)
{
  uint64_t turn = 0;
  for (bool moved = true; moved;) {
    const int start = (int)(random_number(seed, turn++) * m->nranks);
    moved = false;
    for (int k = 0; k < m->nranks; k++) {
      const int rank = (start + k) % m->nranks;
      if (rank != held && move(m, &m->ranks[rank])) moved = true;
    }
  }
}

void machine_run(machine *m, uint64_t seed)
{
  enum { NO_RANK = -1 };
  prepare(m);
  const int held = (int)(random_number(seed + 1, 0) * m->nranks);
  run_without(m, held, seed);
  for (int rank = 0; rank < m->nranks; rank++) {
    const machine_rank *r = &m->ranks[rank];
    if (r->schedule.barrier && rank != held) assert_false(is_complete(r));
  }
  run_without(m, NO_RANK, seed);
  for (int rank = 0; rank < m->nranks; rank++) assert_true(is_complete(&m->ranks[rank]));
}

int machine_rounds(const machine *m)
{
  int most = 0;
  for (int rank = 0; rank < m->nranks; rank++) {
    const int rounds = m->ranks[rank].schedule.nrounds;
    if (rounds > most) most = rounds;
  }
  return most;
}

int machine_hops(const machine *m)
{
  int most = 0;
  for (int rank = 0; rank < m->nranks; rank++) {
    if (m->ranks[rank].hops > most) most = m->ranks[rank].hops;
  }
  return most;
}
