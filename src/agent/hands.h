/* SPDX-License-Identifier: BSD-2-Clause */
/* The task lists that a remote agent has in hand. */
#ifndef OVK_AGENT_HANDS_H
#define OVK_AGENT_HANDS_H

#include "agent/agent.h"
#include "agent/control.h"
#include "engine/engine.h"

/* A task list in hand. */
typedef struct ovk__held ovk__held;

typedef struct ovk__hands {
  ovk_ctx *ctx;
  ovk__endpoint *endpoint;
  ovk__engine engine; /* uses it */
  ovk__agent *agent;
  size_t memory; /* that all lists may take */
  uint64_t bytes;
  long taken; /* lists, those dropped included */
  ovk__held *lists;
} ovk__hands;

/* Does what a rank's message says, and answers. With the endpoint entered. What is wrong with the
 * message alone is told to the rank, and no error. */
ovk_err ovk__hands_answer(ovk__hands *hands, int socket, const ovk__message *message);

void ovk__hands_free(ovk__hands *hands); /* the agent has been closed */

#endif
