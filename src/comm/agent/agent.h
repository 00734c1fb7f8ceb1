/* SPDX-License-Identifier: BSD-2-Clause */
/* An agent: a thread that owns an endpoint and carries task lists out, so that sums of several
 * rounds go on while their ranks compute. It makes no call of MPI, sleeps while nothing arrives,
 * and may outlive MPI. */
#ifndef OVK_COMM_AGENT_AGENT_H
#define OVK_COMM_AGENT_AGENT_H

#include "comm/engine/executor.h"
#include "comm/net/endpoint.h"
#include "core/job.h"

#include <stdatomic.h>

typedef struct ovk__agent ovk__agent;

/* A task list: one rank's part of an operation, executed again and again: a request or a pipeline,
 * with messages over the agent's endpoint only. The agent calls the functions with the endpoint
 * entered; they must not block. */
typedef struct ovk__task_list {
  int (*start)(void *work);
  ovk__advance *advance;
  void *work;
  /* Whether this rank's part of this generation is in the request's buffer. The agent asks again
   * after each wake, and after what arrives at the endpoint. */
  bool (*arrived)(void *self, uint64_t generation);
  /* The totals are in the request's buffer, which the agent does not touch until the next part is.
   * NULL: nobody looks there. */
  void (*deliver)(void *self, uint64_t generation);
  void *self;
  /* The agent's: */
  uint64_t generation; /* the last one that it has started */
  bool running;
  struct ovk__task_list *next, **link; /* *link is this list; NULL: it was not added */
} ovk__task_list;

/* Starts the thread, which sleeps after `passes` passes in a row over its lists that find nothing.
 * The endpoint has no connections yet, and outlives the agent; from now on it listens. Not
 * collective. ovk__agent_close() must be called also after an error. */
ovk_err ovk__agent_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int passes, ovk__agent **out);
void ovk__agent_close(ovk__agent **agent); /* no list is left; not collective */

/* Requests are made, added, removed and destroyed with the endpoint entered. */
void ovk__agent_add(ovk__agent *agent, ovk__task_list *list);
void ovk__agent_remove(ovk__task_list *list); /* nothing where it was not added */

/* A part has arrived from a thread of this process. */
void ovk__agent_wake(ovk__agent *agent);

/* An operation that a rank submits to an agent in its process. They share the operation's
 * buffers: those belong to the rank until it begins, and then to the agent until it is complete.
 * tests/project/relacy/agent.cpp is a model of it. */
typedef struct ovk__submission {
  ovk__agent *agent;
  ovk__task_list list;
  _Atomic uint64_t begun;    /* the last generation with the rank's part */
  _Atomic uint64_t complete; /* the last one with the result */
} ovk__submission;

/* Adds what `start` and `advance` carry out for `work`. After remove the agent does not touch it
 * any more, also if it was in flight; nothing is done where nothing was added. With the endpoint
 * entered. */
void ovk__submission_add(ovk__submission *submission, ovk__agent *agent, int (*start)(void *),
                         ovk__advance *advance, void *work);
void ovk__submission_remove(ovk__submission *submission);

void ovk__submission_begin(ovk__submission *submission);
bool ovk__submission_is_complete(const ovk__submission *submission);

/* Starts an agent in the process of each rank of the engine, which waits for agents from now on.
 * Collective; errors are not agreed. As ovk__agent_open() otherwise. */
ovk_err ovk__agent_open_local(ovk__engine *engine, ovk__agent **out);

#endif
