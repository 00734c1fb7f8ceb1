/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a sum: its ranks meet, add what they have to the numbers at its home, and read them;
 * with levels, leaders do so for their groups. Each sum has another home, so that sums that are in
 * flight at a time do not meet at one adapter. */
#include "backends/verbs/atomic/atomic_sum.h"
#include "backends/verbs/atomic/accumulator.h"
#include "backends/verbs/atomic/company.h"
#include "backends/verbs/atomic/exact.h"
#include "backends/verbs/atomic/node_level.h"
#include "core/mem.h"
#include "engine/engine.h"

#include <stdlib.h>

/* What a sum is at. */
typedef enum phase { GATHERING, ADDING, SPREADING, OVER } phase;

typedef struct sum {
  ovk__verbs *verbs;
  int row; /* of the ledger */
  ovk__accumulator accumulator;
  ovk__node_level level;
  ovk__company company;
  uint64_t generation;
  phase phase;
  int failed;
} sum;

static int home_of(const ovk__atomic *m, int number)
{
  return m->top.ranks[number % m->top.size];
}

/* The home waits for all who take part, and these for it; a leader for its group, which waits for
 * the leader. */
static int list_peers(const ovk__atomic *m, int number, int rank, int *peers)
{
  int n = 0;
  if (m->takes_part && home_of(m, number) == rank) {
    while (n < m->top.size) {
      peers[n] = m->top.ranks[n];
      n++;
    }
  } else if (m->takes_part) {
    peers[n++] = home_of(m, number);
  }
  const int others = m->grouped ? m->node.size - 1 : 0;
  if (others && m->node.index > 0) peers[n++] = m->node.ranks[0];
  for (int k = 1; k <= others && m->node.index == 0; k++) peers[n++] = m->node.ranks[k];
  return n;
}

static ovk_err make_company(ovk__verbs *v, int number, sum *s)
{
  const ovk__atomic *m = v->own;
  int *peers;
  OVK_NEW_ARRAY(v->ctx, peers, m->top.size + m->node.size);
  const int npeers = list_peers(m, number, ovk_ctx_rank(v->ctx), peers);
  const ovk_err err = ovk__company_make(v->ctx, v->endpoint, peers, npeers, &s->company);
  free(peers);
  return err;
}

/* What needs no other rank. */
static ovk_err make(ovk__verbs *v, const ovk_sum *of, sum *s)
{
  ovk__atomic *m = v->own;
  const int most = m->grouped ? OVK__EXACT_WORDS : OVK__EXACT_MOST_SHARES;
  OVK_TRY(make_company(v, of->number, s));
  if (!m->takes_part) return OVK_OK;
  const int home = home_of(m, of->number);
  OVK_TRY(ovk__accumulator_make(v->ctx, v->endpoint, home, m->top.size, of->values, of->count, most,
                                &s->accumulator));
  if (home != ovk_ctx_rank(v->ctx)) return OVK_OK;
  return ovk__endpoint_take(v->endpoint, ovk__accumulator_bytes(of->count),
                            &m->ledger.blocks[s->row]);
}

/* Tells all ranks where the home has the sets, unless one of them has *failed; then connects. */
static ovk_err meet(ovk__verbs *v, sum *s, int row, int tag, bool *failed)
{
  enum { FAILED, ADDRESS, KEY, N };
  const ovk__block *block = &((ovk__atomic *)v->own)->ledger.blocks[row];
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
  return ovk__company_connect(&s->company, tag);
}

/* All ranks come here, those that have *failed, too; *failed: some rank has. */
static ovk_err make_together(ovk__verbs *v, const ovk_sum *of, int row, sum *s, bool *failed)
{
  const ovk__atomic *m = v->own;
  ovk__tags *tags = &v->engine->tags;
  int64_t number;
  ovk__tag tag;
  OVK_TRY(ovk__tags_deal(v->ctx, v->comm, tags, &number));
  ovk_err err = *failed ? OVK_OK : make(v, of, s);
  *failed = *failed || err;
  const ovk_err met = meet(v, s, row, ovk__tag_use(tags, &tag, number), failed);
  ovk__tag_free(tags, &tag); /* with the next deal all have come out of this */
  if (!err) err = met;
  if (*failed || !m->grouped) return err;
  const ovk_err level = ovk__node_level_make(v->ctx, v->engine, m->node, of->values, of->count,
                                             err != OVK_OK, &s->level);
  return err ? err : level;
}

ovk_err ovk__atomic_prepare(ovk__verbs *verbs, const ovk_sum *of, bool failed, void **out)
{
  ovk__atomic *m = verbs->own;
  int row;
  *out = NULL;
  OVK_TRY(ovk__ledger_enter(verbs->ctx, verbs->comm, &m->ledger, &row));
  sum *s = calloc(1, sizeof *s);
  ovk_err err = s ? OVK_OK : OVK_FAIL(verbs->ctx, OVK_ERR_MEMORY, "no memory for a sum");
  if (s) *s = (sum){.verbs = verbs, .row = row, .phase = OVER};
  failed = failed || err;
  const ovk_err made = make_together(verbs, of, row, s, &failed);
  if (!err) err = made;
  if (!s) ovk__ledger_leave(&m->ledger, row);
  if (err || failed) {
    ovk__atomic_release(s);
  } else {
    *out = s;
  }
  return err;
}

/* What was broken off may still touch the home's memory: then the row stays in use. */
void ovk__atomic_release(void *self)
{
  sum *s = self;
  if (!s) return;
  ovk__atomic *m = s->verbs->own;
  if (!s->accumulator.running) ovk__ledger_leave(&m->ledger, s->row);
  ovk__node_level_free(&s->level);
  ovk__accumulator_free(&s->accumulator);
  ovk__company_free(&s->company);
  free(s);
}

static int add(sum *s, const uint64_t *numbers)
{
  s->phase = ADDING;
  return ovk__accumulator_start(&s->accumulator, numbers) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
}

static int spread(sum *s)
{
  s->phase = SPREADING;
  return ovk__run_start(s->level.spread);
}

int ovk__atomic_start(void *self)
{
  sum *s = self;
  const ovk__atomic *m = s->verbs->own;
  s->generation++;
  s->phase = GATHERING;
  s->failed = m->grouped ? ovk__node_level_start(&s->level) : add(s, NULL);
  return s->failed;
}

/* Moves the phase on. */
static int advance_phase(sum *s, bool *through)
{
  switch (s->phase) {
  case GATHERING:
    return ovk__run_advance(s->level.gather, through);
  case ADDING:
    return ovk__accumulator_advance(&s->accumulator, through) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
  case SPREADING:
    return ovk__run_advance(s->level.spread, through);
  default:
    *through = true;
    return MPI_SUCCESS;
  }
}

static int next_phase(sum *s)
{
  const ovk__atomic *m = s->verbs->own;
  if (s->phase == GATHERING && m->takes_part) return add(s, s->level.numbers);
  if (s->phase != SPREADING && m->grouped) return spread(s);
  s->phase = OVER;
  return MPI_SUCCESS;
}

static int move_on(sum *s)
{
  int code = MPI_SUCCESS;
  bool through = true;
  while (!code && through && s->phase != OVER) {
    code = advance_phase(s, &through);
    if (!code && through) code = next_phase(s);
  }
  if (code || s->phase == OVER) return code;
  return ovk__company_watch(&s->company, s->generation) ? MPI_SUCCESS : OVK__NETWORK_FAILED;
}

int ovk__atomic_advance(void *self, bool *complete)
{
  sum *s = self;
  if (!s->failed) s->failed = move_on(s);
  *complete = !s->failed && s->phase == OVER;
  return s->failed;
}
