/* SPDX-License-Identifier: BSD-2-Clause */
/* An agent: a thread that owns an endpoint and executes task lists, so that reductions of several
 * rounds progress while their ranks compute. It makes no MPI calls, sleeps while no messages arrive
 * and may outlive MPI. */
#ifndef OVK_COMM_AGENT_AGENT_H
#define OVK_COMM_AGENT_AGENT_H

#include "comm/engine/executor.h"
#include "comm/net/endpoint.h"
#include "core/job.h"

#include <stdatomic.h>

typedef struct ovk__agent ovk__agent;

/* A task list: the part of one rank in an operation, executed repeatedly: a request or a pipeline,
 * with messages over the endpoint of the agent only. The agent calls the functions with the
 * endpoint entered; they must not block. */
typedef struct ovk__task_list {
  int (*start)(void *work);
  ovk__advance *advance;
  void *work;
  /* Whether the part of this rank for this generation is in the buffer of the request. The agent
   * asks again after each wake and after each message that arrives at the endpoint. */
  bool (*arrived)(void *self, uint64_t generation);
  /* The totals are in the buffer of the request. The agent does not access the buffer until the
   * next part is there. NULL: no rank reads it. */
  void (*deliver)(void *self, uint64_t generation);
  void *self;
  bool polls; /* it waits for shared memory as well, whose writers wake no agent */
  /* The agent's: */
  uint64_t generation; /* the last generation that it has started */
  bool running;
  struct ovk__task_list *next, **link; /* *link is this list; NULL: the list was not added */
} ovk__task_list;

/* Start the thread. It sleeps after `passes` passes in a row without progress. The endpoint must
 * not have connections yet and must outlive the agent. From now on it listens. Not collective.
 * ovk__agent_close() must be called also after an error. */
ovk_err ovk__agent_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int passes, ovk__agent **out);
void ovk__agent_close(ovk__agent **agent); /* All lists must be removed before. Not collective. */

/* Requests are created, added, removed and destroyed with the endpoint entered. */
void ovk__agent_add(ovk__agent *agent, ovk__task_list *list);
void ovk__agent_remove(ovk__task_list *list); /* does nothing if the list was not added */

/* Notify the agent that a thread of this process has provided a part. */
void ovk__agent_wake(ovk__agent *agent);

/* An operation that a rank submits to an agent in its process. Both share the buffers of the
 * operation: these belong to the rank until it begins, then to the agent until the operation is
 * complete. tests/project/relacy/agent.cpp is a model of this protocol. */
typedef struct ovk__submission {
  ovk__agent *agent;
  ovk__task_list list;
  _Atomic uint64_t begun;    /* the last generation for which the rank has provided its part */
  _Atomic uint64_t complete; /* the last generation with a result */
} ovk__submission;

/* Add an operation: `start` and `advance` execute `work`. After remove the agent does not access
 * it, even if it was in flight. Removing an operation that was not added does nothing. Both are
 * called with the endpoint entered. `polls`: see ovk__task_list. */
void ovk__submission_add(ovk__submission *submission, ovk__agent *agent, int (*start)(void *),
                         ovk__advance *advance, void *work, bool polls);
void ovk__submission_remove(ovk__submission *submission);

void ovk__submission_begin(ovk__submission *submission);
bool ovk__submission_is_complete(const ovk__submission *submission);

/* Start an agent in the process of each rank of the engine. From now on the ranks leave processors
 * to agents while they wait. Collective; errors are not agreed. Otherwise as ovk__agent_open(). */
ovk_err ovk__agent_open_local(ovk__engine *engine, ovk__agent **out);

#endif
