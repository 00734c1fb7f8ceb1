/* SPDX-License-Identifier: BSD-2-Clause */
/* mode=write with agent=thread: the same schedules, carried out by an agent. The rank and its agent
 * share one array for each sum, which belongs to the rank until it has published the number of a
 * generation with its part in there, and then to the agent, until that has published the number
 * with the totals. tests/project/relacy/agent.cpp is a model of it. */
#include "agent/agent.h"
#include "backends/verbs/verbs.h"
#include "base/mem.h"
#include "engine/engine.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A sum. */
typedef struct agent_sum {
  ovk__verbs *verbs;
  ovk__task_list list;
  double *values; /* the sum's, as users see them */
  double *shared; /* by the rank and its agent */
  size_t bytes;
  _Atomic uint64_t begun;    /* the last generation with the rank's part */
  _Atomic uint64_t complete; /* the last one with the totals */
} agent_sum;

static ovk_err read(ovk__verbs *verbs)
{
  OVK_TRY(ovk__plans_read(verbs->ctx, verbs->spec, &verbs->plans));
  return ovk__verbs_check_channels(verbs);
}

/* A rank that waits leaves processors to the agents, which count like ranks; and an agent that
 * finds nothing leaves them to the ranks: at once, if there are too few, and else after some
 * microseconds, in which the next message of a sum may come. */
static ovk_err open(ovk__verbs *verbs)
{
  enum { FEW_PASSES = 1, MORE_PASSES = 200 };
  ovk__engine *e = verbs->engine;
  OVK_TRY(ovk__spins(verbs->ctx, verbs->comm, 2 * e->fabric.arenas.size, &e->spins));
  OVK_TRY(ovk__plans_locate(verbs->ctx, verbs->comm, &verbs->plans));
  return ovk__agent_open(verbs->ctx, verbs->endpoint, e->spins > 1 ? MORE_PASSES : FEW_PASSES,
                         &verbs->agent);
}

static void close(ovk__verbs *verbs)
{
  ovk__agent_close(&verbs->agent);
}

/* Pairs with start(): the part is there, and the rank has read the totals of the generation before.
 */
static bool arrived(void *self, uint64_t generation)
{
  const agent_sum *s = self;
  return atomic_load_explicit(&s->begun, memory_order_acquire) == generation;
}

/* Pairs with advance(): the totals are there. */
static void deliver(void *self, uint64_t generation)
{
  agent_sum *s = self;
  atomic_store_explicit(&s->complete, generation, memory_order_release);
}

static ovk_err make(ovk__verbs *verbs, const ovk_sum *sum, agent_sum **out)
{
  agent_sum *s = *out = calloc(1, sizeof *s);
  OVK_CHECK(s, verbs->ctx, OVK_ERR_MEMORY, "no memory for a sum of an agent");
  s->verbs = verbs;
  s->values = sum->values;
  s->bytes = (size_t)sum->count * sizeof *s->shared;
  s->list = (ovk__task_list){.arrived = arrived, .deliver = deliver, .self = s};
  OVK_NEW_ARRAY(verbs->ctx, s->shared, sum->count);
  return OVK_OK;
}

static void destroy(agent_sum *s)
{
  if (!s) return;
  free(s->shared);
  free(s);
}

/* All ranks create the run, also after a failure here. */
static ovk_err make_run(ovk__verbs *verbs, const ovk_sum *sum, bool failed, agent_sum *s)
{
  const ovk__schedule *schedule = NULL;
  ovk_err err = failed ? OVK_OK : ovk__plans_find(verbs->ctx, &verbs->plans, sum->count, &schedule);
  const ovk__task task = {.schedule = schedule,
                          .output = failed ? NULL : s->shared,
                          .element = sizeof(double),
                          .combine = ovk__combine_sum_double};
  ovk__run *run;
  const ovk_err made = ovk__run_create(verbs->engine, &task, failed || err, &run);
  if (run) {
    s->list.run = run;
    ovk__agent_add(verbs->agent, &s->list);
  }
  return err ? err : made;
}

/* The agent stands still meanwhile: all ranks are here, and wait for none of its sums. */
static ovk_err prepare(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out)
{
  agent_sum *s = NULL;
  ovk_err err = failed ? OVK_OK : make(verbs, sum, &s);
  ovk__endpoint_enter(verbs->endpoint);
  const ovk_err made = make_run(verbs, sum, failed || err, s);
  ovk__endpoint_leave(verbs->endpoint);
  if (!err) err = made;
  if (s && !s->list.run) {
    destroy(s);
    s = NULL;
  }
  *out = s;
  return err;
}

static bool release(void *sum)
{
  agent_sum *s = sum;
  if (!s) return true;
  ovk__verbs *v = s->verbs;
  ovk__endpoint_enter(v->endpoint);
  ovk__agent_remove(v->agent, &s->list);
  (void)ovk__run_destroy(&s->list.run); /* MPI has no part in it */
  ovk__endpoint_leave(v->endpoint);
  destroy(s);
  return true;
}

static int start(void *sum)
{
  agent_sum *s = sum;
  memcpy(s->shared, s->values, s->bytes);
  /* Pairs with arrived(). */
  atomic_store_explicit(&s->begun, s->begun + 1, memory_order_release);
  ovk__agent_rouse(s->verbs->agent);
  return MPI_SUCCESS;
}

/* A failure of the endpoint is noticed by ovk__recovery_look(), which knows its reason. */
static int advance(void *self, bool *complete)
{
  agent_sum *s = self;
  /* Pairs with deliver(). */
  *complete = atomic_load_explicit(&s->complete, memory_order_acquire) == s->begun;
  if (*complete) memcpy(s->values, s->shared, s->bytes);
  return MPI_SUCCESS;
}

const ovk__verbs_mode ovk__mode_write_agent = {.name = "write",
                                               .read = read,
                                               .open = open,
                                               .close = close,
                                               .prepare = prepare,
                                               .release = release,
                                               .start = start,
                                               .advance = advance};
