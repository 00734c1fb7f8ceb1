/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends and checks hellos. */
#include "comm/agent/wire/hello.h"

#include <limits.h>
#include <string.h>

enum { WORDS = sizeof(ovk__hello) / sizeof(uint64_t), RANKS_MOST = 1 << 20 };

ovk_err ovk__hello_send(ovk_ctx *ctx, ovk__stream *stream, double seconds, double timeout)
{
  const ovk__hello hello = {.version = OVK__CONTROL_VERSION,
                            .rank = (uint64_t)ovk_ctx_rank(ctx),
                            .size = (uint64_t)ovk_ctx_size(ctx),
                            .timeout_ms = (uint64_t)(1000 * timeout)};
  uint64_t words[WORDS];
  memcpy(words, &hello, sizeof words);
  return ovk__control_send(ctx, stream, seconds, OVK__HELLO, words, WORDS);
}

static ovk_err check(ovk_ctx *ctx, const ovk__message *m, ovk__hello *h)
{
  OVK_CHECK(m->kind == OVK__HELLO && m->n == WORDS, ctx, OVK_ERR_ARG,
            "a connection that does not begin with a rank's hello");
  memcpy(h, m->words, sizeof *h);
  OVK_CHECK(h->version == OVK__CONTROL_VERSION, ctx, OVK_ERR_ARG,
            "version %llu of the control messages, and the agent's is %d",
            (unsigned long long)h->version, OVK__CONTROL_VERSION);
  OVK_CHECK(h->size >= 1 && h->size <= RANKS_MOST && h->rank < h->size, ctx, OVK_ERR_ARG,
            "rank %llu of %llu", (unsigned long long)h->rank, (unsigned long long)h->size);
  OVK_CHECK(h->timeout_ms <= INT_MAX, ctx, OVK_ERR_ARG, "a timeout of %llu ms",
            (unsigned long long)h->timeout_ms);
  return OVK_OK;
}

ovk_err ovk__hello_receive(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__hello *out)
{
  ovk__message m = {0};
  ovk_err err = ovk__control_receive(ctx, stream, seconds, WORDS, &m);
  if (err == OVK_ERR_RANGE) err = OVK_FAIL(ctx, OVK_ERR_ARG, "a hello has %d words", WORDS);
  if (!err) err = check(ctx, &m, out);
  ovk__message_free(&m);
  return err;
}
