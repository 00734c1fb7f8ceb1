/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank's side of the control connection to its remote agent, which control.h describes. Nothing
 * here is collective, and each call waits for the agent for a limited time. */
#ifndef OVK_COMM_AGENT_REMOTE_H
#define OVK_COMM_AGENT_REMOTE_H

#include "comm/engine/channels/handshake.h"
#include "comm/engine/schedule/schedule.h"

typedef struct ovk__remote ovk__remote;

/* Whether text can be the address of an agent: "HOST:PORT", or a path of a file, with a '/'. */
bool ovk__remote_is_address(const char *text);

/* Connects to an agent and introduces this rank. `where`: "HOST:PORT", or the path of a file with a
 * line "NODE HOST:PORT" for each node, by the name that the system gives it; '#' begins a comment.
 * `secret`: path of the file, or NULL, which is an error. `timeout`: seconds that a sum may take;
 * 0: no limit. ovk__remote_close() must be called also after an error. */
ovk_err ovk__remote_open(ovk_ctx *ctx, const char *where, const char *secret, double timeout,
                         ovk__remote **out);
void ovk__remote_close(ovk__remote **remote); /* the agent ends */

/* OVK_ERR_UNSUPPORTED from the following: the agent refuses, and goes on. After any other error the
 * connection is over.
 *
 * Registers the schedule of an all-reduce. *handshakes <- the agent's handshakes: those to other
 * agents, which their ranks exchange, and the one to this rank, *own, whose peer is MPI_PROC_NULL.
 * ovk__handshakes_free() must be called also after an error. */
ovk_err ovk__remote_register(ovk__remote *remote, uint64_t id, const ovk__schedule *schedule,
                             size_t count, ovk__handshakes *handshakes, ovk__handshake **own);

/* Passes the answers to these handshakes: the agent connects to its peers and expects parts. */
ovk_err ovk__remote_connect(ovk__remote *remote, uint64_t id, const ovk__handshakes *handshakes);

/* Unregisters the schedule, which is not in flight unless the agent has failed. */
void ovk__remote_unregister(ovk__remote *remote, uint64_t id);

#endif
