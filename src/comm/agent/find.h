/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a rank's remote agent is, and a socket connected to it. */
#ifndef OVK_COMM_AGENT_FIND_H
#define OVK_COMM_AGENT_FIND_H

#include "core/context/check.h"

enum { OVK__AGENT_ADDRESS_SIZE = 512 };

/* *socket <- a connection, which does not block, to the agent `where` names, see remote.h;
 * `address` <- its address for messages. Each attempt to connect lasts `seconds` at most. -1 after
 * an error. */
ovk_err ovk__agent_find(ovk_ctx *ctx, const char *where, double seconds,
                        char address[OVK__AGENT_ADDRESS_SIZE], int *socket);

#endif
