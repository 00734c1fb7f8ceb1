/* SPDX-License-Identifier: BSD-2-Clause */
/* The side of a rank of the control connection to its remote agent; see control.h. The functions
 * are not collective and wait for the agent for a limited time. */
#ifndef OVK_COMM_AGENT_REMOTE_H
#define OVK_COMM_AGENT_REMOTE_H

#include "comm/engine/channels/handshake.h"
#include "comm/engine/schedule/schedule.h"

typedef struct ovk__remote ovk__remote;

/* Whether the text can be the address of an agent: "HOST:PORT", or a path of a file with a '/'. */
bool ovk__remote_is_address(const char *text);

/* Connect to an agent and open a session. `where`: "HOST:PORT", or the path of a file with a line
 * "NODE HOST:PORT" for each node, with the node name of the system; '#' begins a comment. `secret`:
 * path of the file with the secret; NULL is an error. `timeout`: seconds that a reduction may take;
 * 0: no limit. ovk__remote_close() must be called also after an error. */
ovk_err ovk__remote_open(ovk_ctx *ctx, const char *where, const char *secret, double timeout,
                         ovk__remote **out);
void ovk__remote_close(ovk__remote **remote); /* the agent ends */

/* The following return OVK_ERR_UNSUPPORTED if the agent refuses the request and continues. After
 * any other error the connection is closed.
 *
 * Register the schedule of an all-reduce. *handshakes <- the handshakes of the agent: those for
 * other agents, which their ranks exchange, and *own, the one for this rank, with the peer
 * MPI_PROC_NULL. ovk__handshakes_free() must be called also after an error. */
ovk_err ovk__remote_register(ovk__remote *remote, uint64_t id, const ovk__schedule *schedule,
                             size_t count, ovk__handshakes *handshakes, ovk__handshake **own);

/* Send the answers to these handshakes to the agent. It connects to its peers and expects parts. */
ovk_err ovk__remote_connect(ovk__remote *remote, uint64_t id, const ovk__handshakes *handshakes);

/* Unregister the schedule. It must not be in flight, unless the agent has failed. */
void ovk__remote_unregister(ovk__remote *remote, uint64_t id);

#endif
