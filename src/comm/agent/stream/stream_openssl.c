/* SPDX-License-Identifier: BSD-2-Clause */
/* Handshakes, reads and writes. OpenSSL calls send() and recv() through functions of this file,
 * because its own functions would raise SIGPIPE in the user program. */
#include "comm/agent/stream/openssl.h"
#include "core/base/clock.h"
#include "core/context/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <openssl/err.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static bool is_temporary(int error)
{
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/* Closing a connection with unread bytes resets it. */
static bool is_end(int error)
{
  return error == ECONNRESET || error == EPIPE;
}

static int send_some(BIO *bio, const char *bytes, int n)
{
  ovk__stream *s = BIO_get_data(bio);
  const ssize_t sent = send(s->socket, bytes, (size_t)n, MSG_NOSIGNAL);
  BIO_clear_retry_flags(bio);
  if (sent < 0 && is_temporary(errno)) BIO_set_retry_write(bio);
  s->ended = s->ended || (sent < 0 && is_end(errno));
  return (int)sent;
}

static int receive_some(BIO *bio, char *bytes, int n)
{
  ovk__stream *s = BIO_get_data(bio);
  const ssize_t received = recv(s->socket, bytes, (size_t)n, 0);
  BIO_clear_retry_flags(bio);
  if (received < 0 && is_temporary(errno)) BIO_set_retry_read(bio);
  s->ended = s->ended || received == 0 || (received < 0 && is_end(errno));
  return (int)received;
}

static long control(BIO *bio, int command, long number, void *pointer)
{
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

BIO_METHOD *ovk__openssl_socket_calls(void)
{
  BIO_METHOD *calls = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
  if (calls && BIO_meth_set_write(calls, send_some) && BIO_meth_set_read(calls, receive_some) &&
      BIO_meth_set_ctrl(calls, control))
    return calls;
  BIO_meth_free(calls);
  return NULL;
}

ovk_err ovk__stream_create(ovk_ctx *ctx, ovk__tls *tls, int socket, ovk__stream **out)
{
  OVK_NEW_AT(ctx, *out, ovk__stream, stream);
  stream->tls = tls;
  stream->socket = socket;
  const int flags = fcntl(socket, F_GETFL);
  OVK_CHECK(flags >= 0 && fcntl(socket, F_SETFL, flags | O_NONBLOCK) == 0, ctx, OVK_ERR_NETWORK,
            "a socket: %s", strerror(errno));
  stream->ssl = SSL_new(tls->rules);
  BIO *bio = stream->ssl ? BIO_new(tls->socket_calls) : NULL;
  OVK_CHECK(bio, ctx, OVK_ERR_MEMORY, "no memory for TLS");
  BIO_set_data(bio, stream);
  BIO_set_init(bio, 1);
  SSL_set_bio(stream->ssl, bio, bio);
  SSL_set_app_data(stream->ssl, stream);
  if (tls->side == OVK__AGENT_SIDE) {
    SSL_set_accept_state(stream->ssl);
  } else {
    SSL_set_connect_state(stream->ssl);
  }
  return OVK_OK;
}

void ovk__stream_destroy(ovk__stream **stream)
{
  ovk__stream *s = *stream;
  if (!s) return;
  SSL_free(s->ssl);
  free(s);
  *stream = NULL;
}

/* An agent sends these alerts (RFC 8446, 6) to a rank with another secret or another version of the
 * control messages; OpenSSL reports them as reasons. */
static bool is_wrong_secret(int reason)
{
  enum { RECEIVED = SSL_AD_REASON_OFFSET };
  return reason == SSL_R_BINDER_DOES_NOT_VERIFY || reason == RECEIVED + SSL_AD_ILLEGAL_PARAMETER ||
         reason == RECEIVED + SSL_AD_DECRYPT_ERROR || reason == RECEIVED + SSL_AD_HANDSHAKE_FAILURE;
}

/* Converts a failure that SSL_get_error() has reported. */
static ovk_err fail(ovk_ctx *ctx, const ovk__stream *s, int what, int error)
{
  if (s->ended) return OVK_FAIL(ctx, OVK_ERR_NETWORK, "the peer has closed the connection");
  if (what == SSL_ERROR_SYSCALL) return OVK_FAIL(ctx, OVK_ERR_NETWORK, "%s", strerror(error));
  const unsigned long code = ERR_peek_error();
  const char *reason = ERR_reason_error_string(code);
  if (!reason) reason = "no reason given";
  OVK_CHECK(SSL_is_init_finished(s->ssl) || !is_wrong_secret(ERR_GET_REASON(code)), ctx,
            OVK_ERR_NETWORK, "the secret differs from that of the peer (TLS: %s)", reason);
  return OVK_FAIL(ctx, OVK_ERR_NETWORK, "the TLS connection has failed: %s", reason);
}

/* *events <- the events to wait for before the call that has returned `returned` is repeated; 0:
 * the call has failed, or the other side has closed the connection. */
static ovk_err look_up_result(ovk_ctx *ctx, const ovk__stream *s, int returned, short *events)
{
  const int error = errno, what = SSL_get_error(s->ssl, returned);
  *events = what == SSL_ERROR_WANT_READ ? POLLIN : what == SSL_ERROR_WANT_WRITE ? POLLOUT : 0;
  return *events || what == SSL_ERROR_ZERO_RETURN ? OVK_OK : fail(ctx, s, what, error);
}

ovk_err ovk__stream_authenticate(ovk_ctx *ctx, ovk__stream *stream, short *events)
{
  ovk__stream *s = stream;
  *events = 0;
  s->ctx = ctx;
  ERR_clear_error();
  const int returned = SSL_do_handshake(s->ssl);
  if (s->failed) return s->failed;
  if (returned != 1) {
    OVK_TRY(look_up_result(ctx, s, returned, events));
    OVK_CHECK(*events, ctx, OVK_ERR_NETWORK, "the peer has closed the connection");
    return OVK_OK;
  }
  /* In TLS a session with a pre-shared key counts as resumed. */
  OVK_CHECK(SSL_session_reused(s->ssl) && SSL_version(s->ssl) == TLS1_3_VERSION, ctx,
            OVK_ERR_NETWORK, "the connection does not use the agent's secret");
  return OVK_OK;
}

/* Waits for events of the socket. */
static ovk_err wait_for(ovk_ctx *ctx, const ovk__stream *s, short events, double end)
{
  struct pollfd file = {.fd = s->socket, .events = events};
  const double left = fmin(fmax(0, end - ovk__clock()), INT_MAX / 2000);
  const int ready = poll(&file, 1, (int)ceil(1000 * left));
  OVK_CHECK(ready >= 0 || errno == EINTR, ctx, OVK_ERR_NETWORK, "%s", strerror(errno));
  OVK_CHECK(ready > 0 || ovk__clock() < end, ctx, OVK_ERR_NETWORK, "no answer in time");
  return OVK_OK;
}

ovk_err ovk__stream_authenticate_until(ovk_ctx *ctx, ovk__stream *stream, double end)
{
  short events;
  for (;;) {
    OVK_TRY(ovk__stream_authenticate(ctx, stream, &events));
    if (!events) return OVK_OK;
    OVK_TRY(wait_for(ctx, stream, events, end));
  }
}

bool ovk__stream_has_ended(const ovk__stream *stream)
{
  return stream->ended;
}

/* The number of bytes that OpenSSL accepts in one call, at most n. */
static int chunk_of(size_t n)
{
  return n < INT_MAX ? (int)n : INT_MAX;
}

ovk_err ovk__stream_send(ovk_ctx *ctx, ovk__stream *stream, double end, const void *bytes, size_t n)
{
  const char *next = bytes;
  while (n) {
    short events;
    ERR_clear_error();
    const int sent = SSL_write(stream->ssl, next, chunk_of(n));
    if (sent > 0) {
      next += sent;
      n -= (size_t)sent;
      continue;
    }
    OVK_TRY(look_up_result(ctx, stream, sent, &events));
    OVK_CHECK(events, ctx, OVK_ERR_NETWORK, "the peer has closed the connection");
    OVK_TRY(wait_for(ctx, stream, events, end));
  }
  return OVK_OK;
}

ovk_err ovk__stream_receive(ovk_ctx *ctx, ovk__stream *stream, double end, void *bytes, size_t n,
                            size_t *received)
{
  char *to = bytes;
  *received = 0;
  while (*received < n) {
    short events;
    ERR_clear_error();
    const int some = SSL_read(stream->ssl, to + *received, chunk_of(n - *received));
    if (some > 0) {
      *received += (size_t)some;
      OVK_CHECK(*received == n || ovk__clock() < end, ctx, OVK_ERR_NETWORK, "no answer in time");
      continue;
    }
    const ovk_err err = look_up_result(ctx, stream, some, &events);
    if (stream->ended || (!err && !events)) break;
    OVK_TRY(err);
    OVK_TRY(wait_for(ctx, stream, events, end));
  }
  return OVK_OK;
}

int ovk__stream_socket(const ovk__stream *stream)
{
  return stream->socket;
}

bool ovk__stream_has_bytes(const ovk__stream *stream)
{
  return SSL_has_pending(stream->ssl);
}

void ovk__stream_hang_up(ovk__stream *stream)
{
  (void)shutdown(stream->socket, SHUT_RDWR);
}
