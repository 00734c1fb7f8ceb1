/* SPDX-License-Identifier: BSD-2-Clause */
/* The task lists of a remote agent. */
#ifndef OVK_COMM_AGENT_TASK_LISTS_H
#define OVK_COMM_AGENT_TASK_LISTS_H

#include "comm/agent/agent.h"
#include "comm/agent/wire/control.h"
#include "comm/engine/engine.h"

/* A task list, its request and the values that it sums. */
typedef struct ovk__task_entry ovk__task_entry;

typedef struct ovk__task_lists {
  ovk_ctx *ctx;
  ovk__endpoint *endpoint;
  ovk__engine engine; /* uses it */
  ovk__agent *agent;
  size_t memory; /* bytes that all lists may take: */
  size_t bytes;  /* what they take beside the endpoint's registered memory */
  long taken;    /* lists that were registered, also those that are unregistered */
  void *by_id;   /* a tree of ovk__task_entry, see tsearch() */
} ovk__task_lists;

/* Does what a rank's message says, with the endpoint entered. *answer: what to send once it has
 * been left, since a rank may be slow to take it; of kind 0: nothing; REFUSED: with the context's
 * error, as what is wrong with a message alone is no error here. To be freed, also after an error.
 */
ovk_err ovk__task_lists_answer(ovk__task_lists *t, const ovk__message *message,
                               ovk__message *answer);

void ovk__task_lists_free(ovk__task_lists *t); /* the agent has been closed */

#endif
