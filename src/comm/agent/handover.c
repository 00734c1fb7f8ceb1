/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands operations over between a rank and the agent beside it, which share two numbers. */
#include "comm/agent/agent.h"
#include "comm/engine/engine.h"

/* Pairs with begin(): the part is there, and the rank has read the result of the generation before.
 */
static bool arrived(void *self, uint64_t generation)
{
  const ovk__handover *h = self;
  return atomic_load_explicit(&h->begun, memory_order_acquire) == generation;
}

/* Pairs with is_complete(): the result is there. */
static void deliver(void *self, uint64_t generation)
{
  ovk__handover *h = self;
  atomic_store_explicit(&h->complete, generation, memory_order_release);
}

void ovk__handover_add(ovk__handover *handover, ovk__agent *agent, int (*start)(void *),
                       ovk__advance *advance, void *work)
{
  ovk__handover *h = handover;
  h->agent = agent;
  h->list = (ovk__task_list){.start = start,
                             .advance = advance,
                             .work = work,
                             .arrived = arrived,
                             .deliver = deliver,
                             .self = h};
  ovk__agent_add(agent, &h->list);
}

void ovk__handover_begin(ovk__handover *handover)
{
  /* Pairs with arrived(). */
  atomic_store_explicit(&handover->begun, handover->begun + 1, memory_order_release);
  ovk__agent_wake(handover->agent);
}

bool ovk__handover_is_complete(const ovk__handover *handover)
{
  /* Pairs with deliver(). */
  return atomic_load_explicit(&handover->complete, memory_order_acquire) == handover->begun;
}

void ovk__handover_remove(ovk__handover *handover)
{
  ovk__agent_remove(&handover->list);
}

/* A rank that waits leaves processors to the agents, which count like ranks; and an agent that
 * finds nothing leaves them to the ranks: at once, if there are too few, and else after some
 * microseconds, in which the next message of a sum may come. */
ovk_err ovk__agent_open_beside(ovk__engine *engine, ovk__agent **out)
{
  enum { FEW_PASSES = 1, MORE_PASSES = 200 };
  ovk__engine *e = engine;
  OVK_TRY(ovk__spins(e->ctx, e->fabric.comm, 2 * e->fabric.arenas.size, &e->spins));
  return ovk__agent_open(e->ctx, e->fabric.endpoint, e->spins > 1 ? MORE_PASSES : FEW_PASSES, out);
}
