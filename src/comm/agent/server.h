/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of servers and clients, ovkrylov/comm/agent.h. */
#ifndef OVK_COMM_AGENT_SERVER_H
#define OVK_COMM_AGENT_SERVER_H

#include "comm/agent/stream/stream.h"

#include <ovkrylov/comm/agent.h>

struct ovk_agent_server {
  ovk_ctx *ctx; /* for messages; with the rank and size of the client that is served */
  ovk_agent_options options;
  ovk__tls *tls;
};

struct ovk_agent_client {
  ovk_agent_server *server;
  ovk__stream *stream;
};

#endif
