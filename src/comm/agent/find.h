/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the remote agent of a rank and connects a socket to it. */
#ifndef OVK_COMM_AGENT_FIND_H
#define OVK_COMM_AGENT_FIND_H

#include "core/context/check.h"

enum { OVK__AGENT_ADDRESS_SIZE = 512 };

/* *socket <- a nonblocking connection to the agent that `where` names (see remote.h), or -1 after
 * an error; `address` <- the address of the agent, for messages. An attempt to connect lasts at
 * most `seconds`. */
ovk_err ovk__agent_find(ovk_ctx *ctx, const char *where, double seconds,
                        char address[OVK__AGENT_ADDRESS_SIZE], int *socket);

#endif
