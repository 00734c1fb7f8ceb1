/* SPDX-License-Identifier: BSD-2-Clause */
/* For programs that serve remote agents, as ovk-agent does: verbs:agent=HOST:PORT. */
#ifndef OVKRYLOV_COMM_AGENT_H
#define OVKRYLOV_COMM_AGENT_H

#include <ovkrylov/error.h>

OVK_BEGIN_DECLS

/** Options of an agent. The texts must live as long as the server. */
typedef struct ovk_agent_terms {
  size_t size; /**< sizeof(ovk_agent_terms), see base.h */
  const char
      *secret; /**< path of the file with the secret that ranks must know; its mode is 0600 */
  const char *adapter; /**< keys device=, port=, gid= as in verbs specs; NULL: the first adapter */
  size_t memory; /**< bytes that a rank's sums may take, and a connection for each 128 KiB of them;
                    0: 256 MiB */
  int passes;    /**< consecutive polls that find nothing before it sleeps; 0: sleeps at once */
} ovk_agent_terms;

/** Serves ranks on the same terms. Needs no MPI, and belongs to one thread. */
typedef struct ovk_agent_server ovk_agent_server;

/** A connection to a server: a rank's, once it has proved that it knows the secret. */
typedef struct ovk_agent_client ovk_agent_client;

/**
 * Checks the terms and reads the secret, which is read again for each client. Not collective.
 *
 * @param out  to be freed with ovk_agent_server_destroy(), also after an error
 * @return OVK_ERR_ARG for terms that are not possible; OVK_ERR_IO, OVK_ERR_MEMORY;
 * OVK_ERR_UNSUPPORTED in builds without TLS
 */
OVK_API ovk_err ovk_agent_server_create(const ovk_agent_terms *terms, ovk_agent_server **out);

/** Frees a server without clients; NULL is allowed. Not collective. */
OVK_API void ovk_agent_server_destroy(ovk_agent_server **server);

/**
 * The message of the last error of a server or its clients, or the summary of the last client that
 * was served. Not collective.
 *
 * @return a line, valid until the next call
 */
OVK_API const char *ovk_agent_server_message(const ovk_agent_server *server);

/**
 * Makes a client of a connected stream socket, which stays the caller's and does not block from now
 * on. Not collective.
 *
 * @param out  to be freed with ovk_agent_client_destroy(), also after an error
 * @return OVK_ERR_MEMORY, OVK_ERR_NETWORK
 */
OVK_API ovk_err ovk_agent_client_create(ovk_agent_server *server, int socket,
                                        ovk_agent_client **out);

/** Frees a client; sends nothing. NULL is allowed. Not collective. */
OVK_API void ovk_agent_client_destroy(ovk_agent_client **client);

/**
 * Proceeds with the TLS handshake, in which both sides prove that they know the secret, as far as
 * possible without waiting. Until it is complete the client takes a few KiB and no other resources;
 * the caller limits the number of such clients and their time. Not collective.
 *
 * @param events  events of the socket, for poll(), to wait for before the next call; 0: the client
 *                is authenticated
 * @return OVK_ERR_NETWORK for another secret or none, another protocol, or a connection that was
 * closed; OVK_ERR_IO or OVK_ERR_ARG where the secret cannot be read
 */
OVK_API ovk_err ovk_agent_client_authenticate(ovk_agent_client *client, short *events);

/**
 * Sends an authenticated client the reason why it is not served. Does not wait. Not collective.
 *
 * @return OVK_ERR_NETWORK if it does not take the message
 */
OVK_API ovk_err ovk_agent_client_refuse(ovk_agent_client *client, const char *why);

/**
 * Acts as the agent of an authenticated client: carries its sums out until the rank closes the
 * connection or something fails. Each rank is to be served by a process of its own: so no rank
 * reaches the memory of another, and nothing is left of it. Not collective.
 *
 * @return OVK_OK after a connection that the rank has closed; OVK_ERR_ARG for an adapter that is
 * not possible, or a message that makes no sense; OVK_ERR_MEMORY; OVK_ERR_NETWORK for a connection
 * or an adapter that has failed
 */
OVK_API ovk_err ovk_agent_client_serve(ovk_agent_client *client);

OVK_END_DECLS

#endif
