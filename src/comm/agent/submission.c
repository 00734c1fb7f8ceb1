/* SPDX-License-Identifier: BSD-2-Clause */
/* Submits operations of a rank to the agent of its process. Both share two counters. */
#include "comm/agent/agent.h"
#include "comm/engine/engine.h"

/* Pairs with begin(): the part is in the buffer, and the rank has read the result of the previous
 * generation. */
static bool arrived(void *self, uint64_t generation)
{
  const ovk__submission *s = self;
  return atomic_load_explicit(&s->begun, memory_order_acquire) == generation;
}

/* Pairs with is_complete(): the result is in the buffer. */
static void deliver(void *self, uint64_t generation)
{
  ovk__submission *s = self;
  atomic_store_explicit(&s->complete, generation, memory_order_release);
}

void ovk__submission_add(ovk__submission *submission, ovk__agent *agent, int (*start)(void *),
                         ovk__advance *advance, void *work, bool polls)
{
  submission->agent = agent;
  submission->list = (ovk__task_list){.start = start,
                                      .advance = advance,
                                      .work = work,
                                      .arrived = arrived,
                                      .deliver = deliver,
                                      .self = submission,
                                      .polls = polls};
  ovk__agent_add(agent, &submission->list);
}

void ovk__submission_begin(ovk__submission *submission)
{
  /* Pairs with arrived(). */
  atomic_store_explicit(&submission->begun, submission->begun + 1, memory_order_release);
  ovk__agent_wake(submission->agent);
}

bool ovk__submission_is_complete(const ovk__submission *submission)
{
  /* Pairs with deliver(). */
  return atomic_load_explicit(&submission->complete, memory_order_acquire) == submission->begun;
}

void ovk__submission_remove(ovk__submission *submission)
{
  ovk__agent_remove(&submission->list);
}

/* A rank that waits yields its processor to agents, which count like ranks. An agent without work
 * yields to the ranks: immediately if there are too few processors, otherwise after some
 * microseconds, in which the next message of a reduction may arrive. */
ovk_err ovk__agent_open_local(ovk__engine *engine, ovk__agent **out)
{
  enum { FEW_PASSES = 1, MORE_PASSES = 200 };
  ovk__engine *e = engine;
  OVK_TRY(ovk__spins(e->ctx, e->transport.comm, 2 * e->transport.arenas.size, &e->spins));
  return ovk__agent_open(e->ctx, e->transport.endpoint, e->spins > 1 ? MORE_PASSES : FEW_PASSES,
                         out);
}
