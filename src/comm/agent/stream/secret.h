/* SPDX-License-Identifier: BSD-2-Clause */
/* The secret that an agent and its ranks share: the content of a file. */
#ifndef OVK_COMM_AGENT_STREAM_SECRET_H
#define OVK_COMM_AGENT_STREAM_SECRET_H

#include "core/context/check.h"

#include <stddef.h>

enum { OVK__SECRET_LEAST = 16, OVK__SECRET_MOST = 256 }; /* bytes */

typedef struct ovk__secret {
  size_t n;
  unsigned char bytes[OVK__SECRET_MOST];
} ovk__secret;

/* Reads a regular file that only its owner may read or write. */
ovk_err ovk__secret_read(ovk_ctx *ctx, const char *path, ovk__secret *out);

#endif
