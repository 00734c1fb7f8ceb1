/* SPDX-License-Identifier: BSD-2-Clause */
/* The stream of a control connection, encrypted and authenticated: TLS 1.3 with a key derived from
 * the secret, in both directions, and fresh keys for each connection (psk_dhe_ke). There are no
 * certificates, tickets or early data, so messages cannot be replayed. Builds without a TLS library
 * use stream_missing.c. */
#ifndef OVK_COMM_AGENT_STREAM_STREAM_H
#define OVK_COMM_AGENT_STREAM_STREAM_H

#include "core/context/check.h"

#include <stddef.h>

/* The state that all streams of one side share. */
typedef struct ovk__tls ovk__tls;
typedef enum ovk__side { OVK__RANK_SIDE, OVK__AGENT_SIDE } ovk__side;

/* `secret`: path of a file, see secret.h. The file is read here and for each connection. Returns
 * OVK_ERR_UNSUPPORTED in builds without TLS. ovk__tls_destroy() must be called also after an error.
 */
ovk_err ovk__tls_create(ovk_ctx *ctx, ovk__side side, const char *secret, ovk__tls **out);
void ovk__tls_destroy(ovk__tls **tls);

typedef struct ovk__stream ovk__stream;

/* A stream over a connected socket. The socket remains the property of the caller and becomes
 * nonblocking. ovk__stream_destroy() must be called also after an error; it sends nothing. */
ovk_err ovk__stream_create(ovk_ctx *ctx, ovk__tls *tls, int socket, ovk__stream **out);
void ovk__stream_destroy(ovk__stream **stream);

/* Continue the handshake without waiting. *events <- the events of the socket, for poll(), to wait
 * for before the next call; 0: the handshake is complete, and both sides have proved that they know
 * the secret. OVK_ERR_NETWORK: the other side has another secret, has closed the connection or uses
 * another protocol. Other errors: the secret cannot be read. */
ovk_err ovk__stream_authenticate(ovk_ctx *ctx, ovk__stream *stream, short *events);

/* The same, but waits until the clock shows `end`. */
ovk_err ovk__stream_authenticate_until(ovk_ctx *ctx, ovk__stream *stream, double end);

/* Whether the other side has closed the connection. */
bool ovk__stream_has_ended(const ovk__stream *stream);

/* The following wait until the clock shows `end`. */
ovk_err ovk__stream_send(ovk_ctx *ctx, ovk__stream *stream, double end, const void *bytes,
                         size_t n);

/* *received < n: the other side has closed the connection. */
ovk_err ovk__stream_receive(ovk_ctx *ctx, ovk__stream *stream, double end, void *bytes, size_t n,
                            size_t *received);

/* The socket, to wait for the other side if no received bytes are buffered. */
int ovk__stream_socket(const ovk__stream *stream);
bool ovk__stream_has_bytes(const ovk__stream *stream);

/* Ends the connection in both directions. */
void ovk__stream_hang_up(ovk__stream *stream);

#endif
