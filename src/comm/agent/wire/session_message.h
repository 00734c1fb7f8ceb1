/* SPDX-License-Identifier: BSD-2-Clause */
/* The first message of a connection: it opens the session of a rank. */
#ifndef OVK_COMM_AGENT_WIRE_SESSION_MESSAGE_H
#define OVK_COMM_AGENT_WIRE_SESSION_MESSAGE_H

#include "comm/agent/wire/control.h"

/* The words of SESSION. */
typedef struct ovk__session {
  uint64_t version, rank, size, timeout_ms;
} ovk__session;

/* Send the rank and the size of the context. `timeout`: seconds that a reduction may take; 0: no
 * limit. */
ovk_err ovk__session_send(ovk_ctx *ctx, ovk__stream *stream, double seconds, double timeout);

/* Receive and check a session message. */
ovk_err ovk__session_receive(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__session *out);

#endif
