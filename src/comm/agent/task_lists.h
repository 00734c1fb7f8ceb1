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
  size_t memory; /* limit of the bytes of all lists */
  size_t bytes;  /* bytes of all lists, without the registered memory of the endpoint */
  long taken;    /* lists that were registered, also those that are unregistered */
  void *by_id;   /* a tree of ovk__task_entry, see tsearch() */
} ovk__task_lists;

/* Execute a control message, with the endpoint entered. *answer: the message to send after the
 * endpoint has been left, because the rank may be slow to receive it. Kind 0: no answer. REFUSED:
 * with the error message of the context; an invalid message is not an error of this function.
 * *answer must be freed also after an error. */
ovk_err ovk__task_lists_answer(ovk__task_lists *t, const ovk__message *message,
                               ovk__message *answer);

void ovk__task_lists_free(ovk__task_lists *t); /* after the agent was closed */

#endif
