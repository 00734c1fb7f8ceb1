/* SPDX-License-Identifier: BSD-2-Clause */
/* A reduction of mode=atomic: its ranks exchange addresses, add their values to the numbers at its
 * root, and read these. With levels, leaders do so for their groups. Roots rotate from reduction to
 * reduction, so that simultaneous ones use different NICs. */
#include "backends/verbs/atomic/atomic_sum.h"
#include "backends/verbs/atomic/accumulator.h"
#include "backends/verbs/atomic/node_level.h"
#include "backends/verbs/atomic/peer_set.h"
#include "comm/engine/engine.h"
#include "core/context/mem.h"
#include "core/exact/exact.h"

#include <stdlib.h>

/* The phase of a reduction. */
typedef enum phase { GATHERING, ADDING, SPREADING, OVER } phase;

typedef struct sum {
  ovk__verbs *verbs;
  int row; /* in the slot table */
  ovk__accumulator accumulator;
  ovk__node_level level;
  ovk__peer_set peer_set;
  uint64_t generation;
  phase phase;
  int failed;
} sum;

static int root_of(const ovk__atomic *m, int number)
{
  return m->top.ranks[number % m->top.size];
}

/* The root waits for all that take part, and these for the root; a leader waits for its group, and
 * the group for its leader. */
static int list_peers(const ovk__atomic *m, int number, int rank, int *peers)
{
  int n = 0;
  if (m->participates && root_of(m, number) == rank) {
    while (n < m->top.size) {
      peers[n] = m->top.ranks[n];
      n++;
    }
  } else if (m->participates) {
    peers[n++] = root_of(m, number);
  }
  const int others = m->grouped ? m->node.size - 1 : 0;
  if (others && m->node.index > 0) peers[n++] = m->node.ranks[0];
  for (int k = 1; k <= others && m->node.index == 0; k++) peers[n++] = m->node.ranks[k];
  return n;
}

static ovk_err make_peer_set(ovk__verbs *v, int number, sum *s)
{
  const ovk__atomic *m = v->own;
  int *peers;
  OVK_NEW_ARRAY(v->ctx, peers, m->top.size + m->node.size);
  const int npeers = list_peers(m, number, ovk_ctx_rank(v->ctx), peers);
  const ovk_err err = ovk__peer_set_make(v->ctx, v->endpoint, peers, npeers, &s->peer_set);
  free(peers);
  return err;
}

/* The local part of the creation. */
static ovk_err make_locally(ovk__verbs *v, const ovk_sum *of, sum *s)
{
  ovk__atomic *m = v->own;
  const int most = m->grouped ? OVK__EXACT_WORDS : OVK__EXACT_MOST_SHARES;
  OVK_TRY(make_peer_set(v, of->number, s));
  if (!m->participates) return OVK_OK;
  const int root = root_of(m, of->number);
  OVK_TRY(ovk__accumulator_make(v->ctx, v->endpoint, root, m->top.size, of->values, of->count, most,
                                &s->accumulator));
  if (root != ovk_ctx_rank(v->ctx)) return OVK_OK;
  return ovk__endpoint_take(v->endpoint, ovk__accumulator_bytes(of->count),
                            &m->slot_table.blocks[s->row]);
}

/* Sends the address of the sets at the root to all ranks, unless one of them has *failed; then
 * connects. */
static ovk_err exchange_and_connect(ovk__verbs *v, sum *s, int row, int tag, bool *failed)
{
  enum { FAILED, ADDRESS, KEY, N };
  const ovk__block *block = &((ovk__atomic *)v->own)->slot_table.blocks[row];
  uint64_t words[N] = {[FAILED] = *failed};
  if (!*failed && block->start) {
    words[ADDRESS] = (uint64_t)(uintptr_t)block->start;
    words[KEY] = block->remote_key;
  }
  *failed = true;
  OVK_TRY_MPI(v->ctx, MPI_Allreduce(MPI_IN_PLACE, words, N, MPI_UINT64_T, MPI_MAX, v->comm));
  *failed = words[FAILED];
  if (*failed) return OVK_OK;
  ovk__accumulator_find(&s->accumulator, words[ADDRESS], (uint32_t)words[KEY]);
  return ovk__endpoint_connect(s->peer_set.endpoint, s->peer_set.peers, s->peer_set.n, tag);
}

/* Called on all ranks, also those that have *failed; *failed <- some rank has. */
static ovk_err make_together(ovk__verbs *v, const ovk_sum *of, int row, sum *s, bool *failed)
{
  const ovk__atomic *m = v->own;
  ovk__tags *tags = &v->engine->tags;
  int64_t number;
  ovk__tag tag;
  OVK_TRY(ovk__tags_deal(v->ctx, v->comm, tags, &number));
  ovk_err err = *failed ? OVK_OK : make_locally(v, of, s);
  *failed = *failed || err;
  const ovk_err connected =
      exchange_and_connect(v, s, row, ovk__tag_use(tags, &tag, number), failed);
  ovk__tag_free(tags, &tag); /* the next assignment waits until all ranks have returned */
  if (!err) err = connected;
  if (*failed || !m->grouped) return err;
  const ovk_err level = ovk__node_level_make(v->ctx, v->engine, m->node, of->values, of->count,
                                             err != OVK_OK, &s->level);
  return err ? err : level;
}

static ovk_err new_sum(ovk__verbs *verbs, int row, sum **out)
{
  OVK_NEW_AT(verbs->ctx, *out, sum, reduction);
  reduction->verbs = verbs;
  reduction->row = row;
  reduction->phase = OVER;
  return OVK_OK;
}

ovk_err ovk__atomic_prepare(ovk__verbs *verbs, const ovk_sum *of, bool failed, void **out)
{
  ovk__atomic *m = verbs->own;
  int row;
  *out = NULL;
  OVK_TRY(ovk__slot_table_enter(verbs->ctx, verbs->comm, &m->slot_table, &row));
  sum *s = NULL;
  ovk_err err = new_sum(verbs, row, &s);
  failed = failed || err;
  const ovk_err made = make_together(verbs, of, row, s, &failed);
  if (!err) err = made;
  if (!s) ovk__slot_table_leave(&m->slot_table, row);
  if (err || failed) {
    (void)ovk__atomic_release(s);
  } else {
    *out = s;
  }
  return err;
}

/* Work requests of an aborted reduction may still access the root's memory: then the row stays in
 * use. */
bool ovk__atomic_release(void *self)
{
  sum *s = self;
  if (!s) return true;
  ovk__atomic *m = s->verbs->own;
  if (!s->accumulator.running) ovk__slot_table_leave(&m->slot_table, s->row);
  ovk__node_level_free(&s->level);
  ovk__accumulator_free(&s->accumulator);
  ovk__peer_set_free(&s->peer_set);
  free(s);
  return true;
}

static int start_adding(sum *s, const uint64_t *numbers)
{
  s->phase = ADDING;
  return ovk__accumulator_start(&s->accumulator, numbers) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
}

static int start_spreading(sum *s)
{
  s->phase = SPREADING;
  return ovk__request_start(s->level.spread);
}

int ovk__atomic_start(void *self)
{
  sum *s = self;
  const ovk__atomic *m = s->verbs->own;
  s->generation++;
  s->phase = GATHERING;
  s->failed = m->grouped ? ovk__node_level_start(&s->level) : start_adding(s, NULL);
  return s->failed;
}

/* Advances the current phase. */
static int advance_phase(sum *s, bool *complete)
{
  switch (s->phase) {
  case GATHERING:
    return ovk__request_advance(s->level.gather, complete);
  case ADDING:
    return ovk__accumulator_advance(&s->accumulator, complete) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
  case SPREADING:
    return ovk__request_advance(s->level.spread, complete);
  default:
    *complete = true;
    return MPI_SUCCESS;
  }
}

static int next_phase(sum *s)
{
  const ovk__atomic *m = s->verbs->own;
  if (s->phase == GATHERING && m->participates) return start_adding(s, s->level.numbers);
  if (s->phase != SPREADING && m->grouped) return start_spreading(s);
  s->phase = OVER;
  return MPI_SUCCESS;
}

static int advance_phases(sum *s)
{
  int code = MPI_SUCCESS;
  bool complete = true;
  while (!code && complete && s->phase != OVER) {
    code = advance_phase(s, &complete);
    if (!code && complete) code = next_phase(s);
  }
  if (code || s->phase == OVER) return code;
  return ovk__peer_set_check(&s->peer_set, s->generation) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
}

int ovk__atomic_advance(void *self, bool *complete)
{
  sum *s = self;
  if (!s->failed) s->failed = advance_phases(s);
  *complete = !s->failed && s->phase == OVER;
  return s->failed;
}
