/* SPDX-License-Identifier: BSD-2-Clause */
/* An agent: a thread that owns an endpoint and carries task lists out, so that sums of several
 * rounds go on while their ranks compute. It makes no call of MPI, sleeps while nothing arrives,
 * and may outlive MPI. */
#ifndef OVK_AGENT_AGENT_H
#define OVK_AGENT_AGENT_H

#include "engine/executor.h"
#include "net/endpoint.h"

typedef struct ovk__agent ovk__agent;

/* A task list: one rank's part of a sum, executed again and again. Its run has messages over the
 * agent's endpoint only. The agent calls the functions with the endpoint entered; they must not
 * block. */
typedef struct ovk__task_list {
  ovk__run *run;
  /* Whether this rank's part of this generation is in the run's buffer. The agent asks again after
   * each rouse, and after what arrives at the endpoint. */
  bool (*arrived)(void *self, uint64_t generation);
  /* The totals are in the run's buffer, which the agent does not touch until the next part is.
   * NULL: nobody looks there. */
  void (*deliver)(void *self, uint64_t generation);
  void *self;
  /* The agent's: */
  uint64_t generation; /* the last one that it has started */
  bool running;
  struct ovk__task_list *next;
} ovk__task_list;

/* Starts the thread, which sleeps after `passes` passes in a row over its lists that find nothing.
 * The endpoint has no connections yet, and outlives the agent; from now on it listens. Not
 * collective. ovk__agent_close() must be called also after an error. */
ovk_err ovk__agent_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int passes, ovk__agent **out);
void ovk__agent_close(ovk__agent **agent); /* no list is left; not collective */

/* Runs are made, added, removed and destroyed with the endpoint entered. */
void ovk__agent_add(ovk__agent *agent, ovk__task_list *list);
void ovk__agent_remove(ovk__agent *agent, ovk__task_list *list);

/* A part has arrived from a thread of this process. */
void ovk__agent_rouse(ovk__agent *agent);

#endif
