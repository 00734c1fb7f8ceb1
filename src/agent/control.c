/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends and receives control messages. */
#include "agent/control.h"
#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

/* In front of a message. */
typedef struct head {
  uint64_t magic, kind, n;
} head;

static const uint64_t magic = UINT64_C(0x6f766b6167656e74); /* "ovkagent" */

ovk_err ovk__control_limit(ovk_ctx *ctx, int socket, double seconds)
{
  const struct timeval most = {.tv_sec = (time_t)seconds,
                               .tv_usec = (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds))};
  const bool set = setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) == 0 &&
                   setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) == 0;
  OVK_CHECK(set, ctx, OVK_ERR_NETWORK, "a socket takes no time limit: %s", strerror(errno));
  return OVK_OK;
}

static ovk_err fail(ovk_ctx *ctx, int error)
{
  const bool late = error == EAGAIN || error == EWOULDBLOCK || error == EINPROGRESS;
  return OVK_FAIL(ctx, OVK_ERR_NETWORK, "%s", late ? "no answer in time" : strerror(error));
}

static ovk_err send_bytes(ovk_ctx *ctx, int socket, const void *bytes, size_t n)
{
  const char *next = bytes;
  while (n) {
    const ssize_t sent = send(socket, next, n, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return fail(ctx, errno);
    next += sent;
    n -= (size_t)sent;
  }
  return OVK_OK;
}

/* Until when a message that begins now may come. The socket's limit alone would allow as much time
 * for each byte. */
static double deadline(int socket)
{
  struct timeval most = {0};
  socklen_t size = sizeof most;
  const bool limited = getsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, &size) == 0 &&
                       (most.tv_sec > 0 || most.tv_usec > 0);
  return limited ? ovk__clock() + (double)most.tv_sec + 1e-6 * (double)most.tv_usec : HUGE_VAL;
}

/* *received < n: the connection has ended. */
static ovk_err receive_bytes(ovk_ctx *ctx, int socket, double end, void *bytes, size_t n,
                             size_t *received)
{
  char *to = bytes;
  *received = 0;
  while (*received < n) {
    const ssize_t some = recv(socket, to + *received, n - *received, 0);
    if (some == 0) break;
    if (some < 0 && errno != EINTR) return fail(ctx, errno);
    if (some > 0) *received += (size_t)some;
    if (*received < n && ovk__clock() > end) return fail(ctx, EAGAIN);
  }
  return OVK_OK;
}

ovk_err ovk__control_send(ovk_ctx *ctx, int socket, ovk__control_kind kind, const uint64_t *words,
                          size_t n)
{
  const head h = {magic, kind, n};
  OVK_CHECK(n <= OVK__CONTROL_MOST, ctx, OVK_ERR_RANGE,
            "a message of %zu words to an agent, which takes %d", n, OVK__CONTROL_MOST);
  OVK_TRY(send_bytes(ctx, socket, &h, sizeof h));
  return send_bytes(ctx, socket, words, n * sizeof *words);
}

ovk_err ovk__control_say(ovk_ctx *ctx, int socket, ovk__control_kind kind, const char *text)
{
  uint64_t words[32] = {0};
  const size_t length = strlen(text), most = sizeof words - 1;
  memcpy(words, text, length < most ? length : most);
  return ovk__control_send(ctx, socket, kind, words, sizeof words / sizeof *words);
}

ovk_err ovk__control_receive(ovk_ctx *ctx, int socket, size_t most, ovk__message *out)
{
  head h;
  size_t received;
  const double end = deadline(socket);
  *out = (ovk__message){0};
  OVK_TRY(receive_bytes(ctx, socket, end, &h, sizeof h, &received));
  if (received == 0) return OVK_OK;
  OVK_CHECK(received == sizeof h && h.magic == magic, ctx, OVK_ERR_NETWORK,
            "what has come is no message of an agent, or one in another byte order");
  OVK_CHECK(h.n <= most, ctx, OVK_ERR_NETWORK, "a message of %llu words, and %zu are the most",
            (unsigned long long)h.n, most);
  OVK_NEW_ARRAY(ctx, out->words, h.n);
  OVK_TRY(receive_bytes(ctx, socket, end, out->words, h.n * sizeof *out->words, &received));
  OVK_CHECK(received == h.n * sizeof *out->words, ctx, OVK_ERR_NETWORK,
            "the connection has ended within a message");
  OVK_CHECK(h.kind >= OVK__HELLO && h.kind <= OVK__FAILED, ctx, OVK_ERR_NETWORK,
            "a message of the unknown kind %llu", (unsigned long long)h.kind);
  out->kind = h.kind;
  out->n = h.n;
  return OVK_OK;
}

void ovk__message_free(ovk__message *message)
{
  free(message->words);
  *message = (ovk__message){0};
}
