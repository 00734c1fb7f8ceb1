/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends and receives control messages. */
#include "comm/agent/wire/control.h"
#include "core/base/clock.h"

#include <stdlib.h>
#include <string.h>

/* The header of a message. */
typedef struct head {
  uint64_t magic, kind, n;
} head;

static const uint64_t magic = UINT64_C(0x6f766b6167656e74); /* "ovkagent" */

ovk_err ovk__control_send(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__control_kind kind,
                          const uint64_t *words, size_t n)
{
  const head h = {magic, kind, n};
  const double end = ovk__clock() + seconds;
  OVK_CHECK(n <= OVK__CONTROL_MOST, ctx, OVK_ERR_RANGE,
            "a message of %zu words; an agent accepts at most %d", n, OVK__CONTROL_MOST);
  OVK_TRY(ovk__stream_send(ctx, stream, end, &h, sizeof h));
  return ovk__stream_send(ctx, stream, end, words, n * sizeof *words);
}

ovk_err ovk__control_say(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__control_kind kind,
                         const char *text)
{
  uint64_t words[32] = {0};
  const size_t length = strlen(text), most = sizeof words - 1;
  memcpy(words, text, length < most ? length : most);
  return ovk__control_send(ctx, stream, seconds, kind, words, sizeof words / sizeof *words);
}

/* Receives and discards the words of a message that is too long. */
static ovk_err leave_out(ovk_ctx *ctx, ovk__stream *stream, double end, uint64_t n, size_t most)
{
  uint64_t words[512];
  const size_t room = sizeof words / sizeof *words;
  OVK_CHECK(n <= OVK__CONTROL_MOST, ctx, OVK_ERR_NETWORK, "a message of %llu words",
            (unsigned long long)n);
  for (size_t left = (size_t)n, some; left > 0; left -= some) {
    size_t received;
    some = left < room ? left : room;
    OVK_TRY(ovk__stream_receive(ctx, stream, end, words, some * sizeof *words, &received));
    OVK_CHECK(received == some * sizeof *words, ctx, OVK_ERR_NETWORK,
              "the connection was closed within a message");
  }
  return OVK_FAIL(ctx, OVK_ERR_RANGE, "a message of %llu words; the limit is %zu",
                  (unsigned long long)n, most);
}

ovk_err ovk__control_receive(ovk_ctx *ctx, ovk__stream *stream, double seconds, size_t most,
                             ovk__message *out)
{
  head h;
  size_t received;
  const double end = ovk__clock() + seconds;
  *out = (ovk__message){0};
  OVK_TRY(ovk__stream_receive(ctx, stream, end, &h, sizeof h, &received));
  if (received == 0) return OVK_OK;
  OVK_CHECK(received == sizeof h && h.magic == magic, ctx, OVK_ERR_NETWORK,
            "received data is not a message of an agent, or has another byte order");
  if (h.n > most) return leave_out(ctx, stream, end, h.n, most);
  /* Not aligned, so that malloc() can reuse the memory of this message for the next one. */
  out->words = malloc(h.n * sizeof *out->words + 1);
  OVK_CHECK(out->words, ctx, OVK_ERR_MEMORY, "no memory for a message of %llu words",
            (unsigned long long)h.n);
  OVK_TRY(ovk__stream_receive(ctx, stream, end, out->words, h.n * sizeof *out->words, &received));
  OVK_CHECK(received == h.n * sizeof *out->words, ctx, OVK_ERR_NETWORK,
            "the connection was closed within a message");
  OVK_CHECK(h.kind >= OVK__SESSION && h.kind <= OVK__FAILED, ctx, OVK_ERR_NETWORK,
            "a message of unknown kind %llu", (unsigned long long)h.kind);
  out->kind = h.kind;
  out->n = h.n;
  return OVK_OK;
}

void ovk__message_free(ovk__message *message)
{
  free(message->words);
  *message = (ovk__message){0};
}
