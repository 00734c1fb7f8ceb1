/* SPDX-License-Identifier: BSD-2-Clause */
/* For programs that serve remote agents, as ovk-agent does: verbs:agent=HOST:PORT. */
#ifndef OVKRYLOV_AGENT_H
#define OVKRYLOV_AGENT_H

#include <ovkrylov/error.h>

OVK_BEGIN_DECLS

/** What an agent offers. */
typedef struct ovk_agent_terms {
  size_t size; /**< sizeof(ovk_agent_terms), see base.h */
  const char
      *secret; /**< path of the file with the secret that ranks must know; its mode is 0600 */
  const char *adapter; /**< keys device=, port=, gid= as in verbs specs; NULL: the first adapter */
  size_t memory; /**< bytes that a rank's sums may take, and a connection for each 128 KiB of them;
                    0: 256 MiB */
  int passes;    /**< looks in a row that find nothing, before it sleeps; 0: sleeps at once */
} ovk_agent_terms;

/**
 * Acts as the agent of the rank at the other end of a connected stream socket: carries its sums out
 * until the rank ends the connection or something fails. Needs no MPI. The socket stays the
 * caller's. Each rank is to be served by a process of its own: so no rank reaches the memory of
 * another, and nothing is left of it. Not collective.
 *
 * @param socket  blocks; time limits are set on it
 * @param why     a line: whom it has served, or what has failed; `why_size` bytes with the 0
 * @return OVK_OK after a connection that the rank has ended; OVK_ERR_ARG for terms that are not
 * possible, a wrong secret, or a message that makes no sense; OVK_ERR_IO, OVK_ERR_MEMORY;
 * OVK_ERR_NETWORK for a connection or an adapter that has failed
 */
OVK_API ovk_err ovk_agent_serve(int socket, const ovk_agent_terms *terms, char *why,
                                size_t why_size);

OVK_END_DECLS

#endif
