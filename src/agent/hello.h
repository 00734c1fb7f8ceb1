/* SPDX-License-Identifier: BSD-2-Clause */
/* The first message of a connection, in which a rank shows that it knows the agent's secret. */
#ifndef OVK_AGENT_HELLO_H
#define OVK_AGENT_HELLO_H

#include "agent/control.h"

/* The words of HELLO; the secret is the content of a file, padded with zeros. */
enum { OVK__SECRET_WORDS = 32 };
typedef struct ovk__hello {
  uint64_t version, rank, size, timeout_ms;
  uint64_t secret[OVK__SECRET_WORDS];
} ovk__hello;

/* A rank's, with the version and the secret in a file: 16 to 256 bytes, which nobody but its owner
 * may read or write. `timeout` in seconds. */
ovk_err ovk__hello_make(ovk_ctx *ctx, const char *secret, double timeout, ovk__hello *out);
ovk_err ovk__hello_send(ovk_ctx *ctx, int socket, const ovk__hello *hello);

/* Receives and checks one: it has the secret of this file, and a rank below its size. */
ovk_err ovk__hello_receive(ovk_ctx *ctx, int socket, const char *secret, ovk__hello *out);

#endif
