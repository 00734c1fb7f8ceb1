/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces stream_openssl.c and tls.c in builds without OpenSSL. */
#include "comm/agent/stream/stream.h"

static ovk_err fail(ovk_ctx *ctx)
{
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "remote agents are not compiled in: build ovkrylov with OpenSSL (package "
                  "libssl-dev) and -DOVK_WITH_TLS=ON");
}

ovk_err ovk__tls_create(ovk_ctx *ctx, ovk__side side, const char *secret, ovk__tls **out)
{
  (void)side, (void)secret;
  *out = NULL;
  return fail(ctx);
}

void ovk__tls_destroy(ovk__tls **tls)
{
  (void)tls;
}

/* The other functions are never called, because create fails. */
ovk_err ovk__stream_create(ovk_ctx *ctx, ovk__tls *tls, int socket, ovk__stream **out)
{
  (void)tls, (void)socket;
  *out = NULL;
  return fail(ctx);
}

void ovk__stream_destroy(ovk__stream **stream)
{
  (void)stream;
}

ovk_err ovk__stream_authenticate(ovk_ctx *ctx, ovk__stream *stream, short *events)
{
  (void)stream, (void)events;
  return fail(ctx);
}

ovk_err ovk__stream_authenticate_until(ovk_ctx *ctx, ovk__stream *stream, double end)
{
  (void)stream, (void)end;
  return fail(ctx);
}

bool ovk__stream_has_ended(const ovk__stream *stream)
{
  (void)stream;
  return true;
}

ovk_err ovk__stream_send(ovk_ctx *ctx, ovk__stream *stream, double end, const void *bytes, size_t n)
{
  (void)stream, (void)end, (void)bytes, (void)n;
  return fail(ctx);
}

ovk_err ovk__stream_receive(ovk_ctx *ctx, ovk__stream *stream, double end, void *bytes, size_t n,
                            size_t *received)
{
  (void)stream, (void)end, (void)bytes, (void)n;
  *received = 0;
  return fail(ctx);
}

int ovk__stream_socket(const ovk__stream *stream)
{
  (void)stream;
  return -1;
}

bool ovk__stream_has_bytes(const ovk__stream *stream)
{
  (void)stream;
  return false;
}

void ovk__stream_hang_up(ovk__stream *stream)
{
  (void)stream;
}
