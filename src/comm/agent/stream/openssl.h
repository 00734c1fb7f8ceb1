/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of the streams that use OpenSSL. */
#ifndef OVK_COMM_AGENT_STREAM_OPENSSL_H
#define OVK_COMM_AGENT_STREAM_OPENSSL_H

#include "comm/agent/stream/stream.h"

#include <openssl/ssl.h>

struct ovk__tls {
  ovk__side side;
  char *secret; /* path */
  SSL_CTX *rules;
  BIO_METHOD *socket_calls; /* see stream.c */
};

struct ovk__stream {
  const ovk__tls *tls;
  int socket;
  SSL *ssl;
  bool ended;     /* the other side has closed the connection */
  ovk_ctx *ctx;   /* during a handshake */
  ovk_err failed; /* the error of reading the secret in this handshake */
};

/* How streams read and write; NULL: no memory. */
BIO_METHOD *ovk__openssl_socket_calls(void);

#endif
