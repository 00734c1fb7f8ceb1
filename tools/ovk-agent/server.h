/* SPDX-License-Identifier: BSD-2-Clause */
/* Accepts connections and serves each rank by a separate process. */
#ifndef OVK_AGENT_SERVER_H
#define OVK_AGENT_SERVER_H

#include <ovkrylov/comm/agent.h>

typedef struct server_options {
  const char *listen; /* "HOST:PORT" */
  int ranks;          /* at a time */
  ovk_agent_options agent;
} server_options;

/* Serves until SIGTERM or SIGINT, and ends its processes then. Returns the exit status: 0, or 2 if
 * it cannot listen or the options are not possible. The log goes to standard error. */
int serve_connections(const server_options *options);

#endif
