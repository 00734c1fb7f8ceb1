/* SPDX-License-Identifier: BSD-2-Clause */
/* The first message of a connection, in which a rank introduces itself. */
#ifndef OVK_COMM_AGENT_WIRE_SESSION_MESSAGE_H
#define OVK_COMM_AGENT_WIRE_SESSION_MESSAGE_H

#include "comm/agent/wire/control.h"

/* The words of SESSION. */
typedef struct ovk__session {
  uint64_t version, rank, size, timeout_ms;
} ovk__session;

/* Sends the context's rank and size. `timeout`: seconds that a sum may take; 0: no limit. */
ovk_err ovk__session_send(ovk_ctx *ctx, ovk__stream *stream, double seconds, double timeout);

/* Receives and checks one: its rank is below its size. */
ovk_err ovk__session_receive(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__session *out);

#endif
