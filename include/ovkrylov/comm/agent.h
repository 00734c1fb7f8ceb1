/* SPDX-License-Identifier: BSD-2-Clause */
/* The server of remote agents, for programs such as ovk-agent: verbs:agent=HOST:PORT. */
#ifndef OVKRYLOV_COMM_AGENT_H
#define OVKRYLOV_COMM_AGENT_H

#include <ovkrylov/error.h>

OVK_BEGIN_DECLS

/** Options of an agent. The texts must live as long as the server. */
typedef struct ovk_agent_options {
  size_t size; /**< sizeof(ovk_agent_options), see base.h */
  const char
      *secret;     /**< path of the file with the secret that ranks must know; its mode is 0600 */
  const char *nic; /**< keys device=, port=, gid= as in verbs specs; NULL: the first NIC */
  size_t memory;   /**< bytes that the reductions of a rank may take, with a connection for each
                      128 KiB; 0: 256 MiB */
  int passes;      /**< consecutive empty polls before the agent sleeps; 0: it sleeps at once */
} ovk_agent_options;

/** A server of ranks with the same options. It does not use MPI, and belongs to one thread. */
typedef struct ovk_agent_server ovk_agent_server;

/** A connection to a server: that of a rank, after it has proved to know the secret. */
typedef struct ovk_agent_client ovk_agent_client;

/**
 * Create a server: check the options and read the secret. Not collective. The secret is read again
 * for each client.
 *
 * @param out  to be freed with ovk_agent_server_destroy(), also after an error
 * @return OVK_ERR_ARG for invalid options; OVK_ERR_IO, OVK_ERR_MEMORY;
 * OVK_ERR_UNSUPPORTED in builds without TLS
 */
OVK_API ovk_err ovk_agent_server_create(const ovk_agent_options *options, ovk_agent_server **out);

/** Destroy a server without clients. NULL is allowed. Not collective. */
OVK_API void ovk_agent_server_destroy(ovk_agent_server **server);

/**
 * Get the message of the last error of a server or its clients, or the summary of the last client.
 * Not collective.
 *
 * @return a line, valid until the next call
 */
OVK_API const char *ovk_agent_server_message(const ovk_agent_server *server);

/**
 * Create a client from a connected stream socket. Not collective. The socket remains the property
 * of the caller, and becomes nonblocking.
 *
 * @param out  to be freed with ovk_agent_client_destroy(), also after an error
 * @return OVK_ERR_MEMORY, OVK_ERR_NETWORK
 */
OVK_API ovk_err ovk_agent_client_create(ovk_agent_server *server, int socket,
                                        ovk_agent_client **out);

/** Destroy a client without sending. NULL is allowed. Not collective. */
OVK_API void ovk_agent_client_destroy(ovk_agent_client **client);

/**
 * Continue the TLS handshake without waiting. Not collective. In it, both sides prove that they
 * know the secret. Until its end the client takes a few KiB and no other resources. The caller
 * limits the number of such clients and their time.
 *
 * @param events  events of the socket, for poll(), to wait for before the next call; 0: the client
 *                is authenticated
 * @return OVK_ERR_NETWORK for another secret or none, another protocol, or a closed connection;
 *         OVK_ERR_IO or OVK_ERR_ARG if the secret cannot be read
 */
OVK_API ovk_err ovk_agent_client_authenticate(ovk_agent_client *client, short *events);

/**
 * Refuse an authenticated client and send it the reason. Does not wait. Not collective.
 *
 * @return OVK_ERR_NETWORK if the message cannot be sent
 */
OVK_API ovk_err ovk_agent_client_refuse(ovk_agent_client *client, const char *why);

/**
 * Serve an authenticated client as its agent: execute its reductions until the rank closes the
 * connection or an error occurs. Not collective. Use a separate process for each rank: then no rank
 * can access the memory of another, and the process frees all resources.
 *
 * @return OVK_OK after the rank has closed the connection; OVK_ERR_ARG for an invalid NIC or
 *         message; OVK_ERR_MEMORY; OVK_ERR_NETWORK for a failed connection or NIC
 */
OVK_API ovk_err ovk_agent_client_serve(ovk_agent_client *client);

OVK_END_DECLS

#endif
