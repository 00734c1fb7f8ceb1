/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes, reads and checks task lists in messages. */
#include "comm/agent/wire/schedule_message.h"
#include "core/context/mem.h"

/* A message: the header, then each round and each action in these words. The first action of a
 * round follows from the previous rounds. */
enum { ID, COUNT, WORK, NROUNDS, NACTIONS, HEAD };
enum { NMESSAGES, NLOCAL, ROUND };
enum { KIND, PEER, ELEMENTS, FROM, FROM_FIRST, TO, TO_FIRST, ACTION };

/* The maximum number of elements of a buffer: far more than a reduction has, and small enough that
 * no size overflows. */
enum { MOST = 1 << 24 };

ovk_err ovk__schedule_message_write(ovk_ctx *ctx, uint64_t id, const ovk__schedule *schedule,
                                    size_t count, uint64_t **words, size_t *n)
{
  const ovk__schedule *s = schedule;
  *n = HEAD + ROUND * (size_t)s->nrounds + ACTION * (size_t)s->nactions;
  OVK_NEW_ARRAY(ctx, *words, *n);
  uint64_t *w = *words;
  w[ID] = id;
  w[COUNT] = count;
  w[WORK] = s->work;
  w[NROUNDS] = (uint64_t)s->nrounds;
  w[NACTIONS] = (uint64_t)s->nactions;
  w += HEAD;
  for (int k = 0; k < s->nrounds; k++, w += ROUND) {
    w[NMESSAGES] = (uint64_t)s->rounds[k].nmessages;
    w[NLOCAL] = (uint64_t)s->rounds[k].nlocal;
  }
  for (int k = 0; k < s->nactions; k++, w += ACTION) {
    const ovk__action *a = &s->actions[k];
    w[KIND] = a->kind;
    w[PEER] = (uint64_t)a->peer;
    w[ELEMENTS] = a->count;
    w[FROM] = a->from.buffer;
    w[FROM_FIRST] = a->from.first;
    w[TO] = a->to.buffer;
    w[TO_FIRST] = a->to.first;
  }
  return OVK_OK;
}

/* A message that is being read. */
typedef struct reader {
  ovk_ctx *ctx;
  int rank, agent_peer;
  uint64_t size[OVK__NBUFFERS]; /* elements of each buffer */
  ovk__schedule_message *out;
} reader;

static ovk_err read_place(const reader *r, const uint64_t *words, uint64_t count, ovk_place *out)
{
  const uint64_t buffer = words[0], first = words[1];
  OVK_CHECK(buffer == OVK_OUTPUT || buffer == OVK_WORK, r->ctx, OVK_ERR_ARG,
            "an action in buffer %llu", (unsigned long long)buffer);
  OVK_CHECK(first <= r->size[buffer] && count <= r->size[buffer] - first, r->ctx, OVK_ERR_ARG,
            "an action outside its buffers");
  *out = (ovk_place){(ovk_buffer)buffer, first};
  return OVK_OK;
}

static bool overlap(ovk_place a, ovk_place b, uint64_t count)
{
  return a.buffer == b.buffer && a.first < b.first + count && b.first < a.first + count;
}

static ovk_err read_message(const reader *r, const uint64_t *w, ovk__action *a)
{
  OVK_CHECK(w[KIND] == OVK__SEND || w[KIND] == OVK__RECEIVE, r->ctx, OVK_ERR_ARG,
            "an action of kind %llu among messages", (unsigned long long)w[KIND]);
  OVK_CHECK(w[PEER] < (uint64_t)r->agent_peer && w[PEER] != (uint64_t)r->rank, r->ctx, OVK_ERR_ARG,
            "a message of rank %d to or from rank %llu of %d", r->rank, (unsigned long long)w[PEER],
            r->agent_peer);
  a->peer = (int)w[PEER];
  a->channel = OVK__RDMA;
  return w[KIND] == OVK__SEND ? read_place(r, &w[FROM], w[ELEMENTS], &a->from)
                              : read_place(r, &w[TO], w[ELEMENTS], &a->to);
}

static ovk_err read_local(const reader *r, const uint64_t *w, ovk__action *a)
{
  OVK_CHECK(w[KIND] == OVK__COMBINE || w[KIND] == OVK__COPY, r->ctx, OVK_ERR_ARG,
            "an action of kind %llu after the messages of a round", (unsigned long long)w[KIND]);
  OVK_TRY(read_place(r, &w[FROM], w[ELEMENTS], &a->from));
  OVK_TRY(read_place(r, &w[TO], w[ELEMENTS], &a->to));
  OVK_CHECK(w[KIND] == OVK__COPY || !overlap(a->from, a->to, w[ELEMENTS]), r->ctx, OVK_ERR_ARG,
            "a combination of elements with themselves");
  r->out->moved += sizeof(double) * w[ELEMENTS];
  return OVK_OK;
}

static ovk_err read_round(const reader *r, const uint64_t *words, const ovk__round *round)
{
  for (int k = 0; k < round->nmessages + round->nlocal; k++, words += ACTION) {
    ovk__action *a = &r->out->schedule.actions[round->first + k];
    OVK_CHECK(words[ELEMENTS] <= MOST, r->ctx, OVK_ERR_ARG, "an action of %llu elements",
              (unsigned long long)words[ELEMENTS]);
    OVK_TRY(k < round->nmessages ? read_message(r, words, a) : read_local(r, words, a));
    a->kind = (ovk__action_kind)words[KIND];
    a->count = words[ELEMENTS];
  }
  return OVK_OK;
}

/* Appends a round with one message with the rank of this agent. */
static void add_peer_round(const reader *r, ovk__action_kind kind)
{
  ovk__schedule *s = &r->out->schedule;
  s->rounds[s->nrounds++] = (ovk__round){.first = s->nactions, .nmessages = 1};
  s->actions[s->nactions++] = (ovk__action){.kind = kind,
                                            .channel = OVK__RDMA,
                                            .peer = r->agent_peer,
                                            .count = r->out->count,
                                            .from = {OVK_OUTPUT, 0},
                                            .to = {OVK_OUTPUT, 0}};
}

static ovk_err read_rounds(const reader *r, const uint64_t *words, uint64_t nrounds,
                           uint64_t nactions)
{
  ovk__schedule *s = &r->out->schedule;
  const uint64_t *actions = words + ROUND * nrounds;
  uint64_t left = nactions;
  for (uint64_t k = 0; k < nrounds; k++, words += ROUND) {
    OVK_CHECK(words[NMESSAGES] <= left && words[NLOCAL] <= left - words[NMESSAGES], r->ctx,
              OVK_ERR_ARG, "the rounds have more actions than the schedule");
    ovk__round *round = &s->rounds[s->nrounds++];
    *round = (ovk__round){s->nactions, (int)words[NMESSAGES], (int)words[NLOCAL]};
    OVK_TRY(read_round(r, actions, round));
    const uint64_t here = words[NMESSAGES] + words[NLOCAL];
    s->nactions += (int)here;
    actions += ACTION * here;
    left -= here;
  }
  OVK_CHECK(left == 0, r->ctx, OVK_ERR_ARG, "%llu actions outside all rounds",
            (unsigned long long)left);
  return OVK_OK;
}

/* The bytes of a request for this schedule: mostly arrays of whole cache lines with the headers of
 * malloc(). tests/verbs/test_agent_memory.c compares this number with the memory of processes. */
static uint64_t count_bytes(const ovk__schedule *s, size_t count)
{
  enum { LIST = 3584, PER_ROUND = 32, PER_ACTION = 56, PER_MESSAGE = 144 };
  uint64_t bytes = LIST + sizeof(double) * (count + s->work);
  for (int r = 0; r < s->nrounds; r++) {
    const ovk__round *round = &s->rounds[r];
    bytes += PER_ROUND + (uint64_t)round->nmessages * (PER_ACTION + PER_MESSAGE) +
             (uint64_t)round->nlocal * PER_ACTION;
  }
  return bytes;
}

/* All-reduces are barriers. If this schedule is not an all-reduce, its totals may be wrong, but
 * memory accesses are valid. */
ovk_err ovk__schedule_message_read(ovk_ctx *ctx, const uint64_t *words, size_t n, int rank,
                                   int agent_peer, ovk__schedule_message *out)
{
  *out = (ovk__schedule_message){.schedule.barrier = true};
  OVK_CHECK(n >= HEAD, ctx, OVK_ERR_ARG, "a task list of %zu words", n);
  const uint64_t nrounds = words[NROUNDS], nactions = words[NACTIONS];
  OVK_CHECK(words[COUNT] <= MOST && words[WORK] <= MOST, ctx, OVK_ERR_ARG,
            "a task list for %llu values with %llu more", (unsigned long long)words[COUNT],
            (unsigned long long)words[WORK]);
  OVK_CHECK(nrounds <= n && nactions <= n && n == HEAD + ROUND * nrounds + ACTION * nactions, ctx,
            OVK_ERR_ARG, "a task list of %zu words does not have %llu rounds of %llu actions", n,
            (unsigned long long)nrounds, (unsigned long long)nactions);
  out->id = words[ID];
  out->count = words[COUNT];
  out->schedule.work = words[WORK];
  OVK_NEW_ZEROS(ctx, out->schedule.rounds, nrounds + 2);
  OVK_NEW_ZEROS(ctx, out->schedule.actions, nactions + 2);
  const reader r = {ctx, rank, agent_peer, {0, words[COUNT], words[WORK]}, out};
  add_peer_round(&r, OVK__RECEIVE);
  OVK_TRY(read_rounds(&r, words + HEAD, nrounds, nactions));
  add_peer_round(&r, OVK__SEND);
  out->bytes = count_bytes(&out->schedule, out->count);
  return OVK_OK;
}
