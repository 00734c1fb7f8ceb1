/* SPDX-License-Identifier: BSD-2-Clause */
/* Control messages between a rank and its remote agent, over an authenticated stream: a kind, a
 * length and 64-bit words in the byte order of the sender, which both machines must share. No
 * received data is trusted: each reader checks the words that it uses. */
#ifndef OVK_COMM_AGENT_WIRE_CONTROL_H
#define OVK_COMM_AGENT_WIRE_CONTROL_H

#include "comm/agent/stream/stream.h"

#include <stddef.h>

/* Messages to the agent, and its answers:
 * - SESSION: see session_message.h; DONE
 * - REGISTER: see schedule_message.h; HANDSHAKES
 * - CONNECT: see handshake_message.h, as for HANDSHAKES; DONE
 * - UNREGISTER: id of the list; no answer
 * Instead of an answer, with a text: REFUSED, and the agent continues; or FAILED, and it ends. */
typedef enum ovk__control_kind {
  OVK__SESSION = 1,
  OVK__REGISTER,
  OVK__CONNECT,
  OVK__UNREGISTER,
  OVK__DONE,
  OVK__HANDSHAKES,
  OVK__REFUSED,
  OVK__FAILED
} ovk__control_kind;

enum { OVK__CONTROL_VERSION = 3, OVK__CONTROL_MOST = 1 << 22 /* words of a message */ };

/* A message that was received. */
typedef struct ovk__message {
  uint64_t kind; /* 0: the other side has ended the connection between two messages */
  size_t n;
  uint64_t *words;
} ovk__message;

/* The following take `seconds` at most for a message. */
ovk_err ovk__control_send(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__control_kind kind,
                          const uint64_t *words, size_t n);

/* Sends a text. */
ovk_err ovk__control_say(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__control_kind kind,
                         const char *text);

/* Receive a message of at most `most` words. OVK_ERR_RANGE: it had more words, which were
 * discarded, and the next message can be received. ovk__message_free() must be called on *out also
 * after an error. */
ovk_err ovk__control_receive(ovk_ctx *ctx, ovk__stream *stream, double seconds, size_t most,
                             ovk__message *out);
void ovk__message_free(ovk__message *message);

#endif
