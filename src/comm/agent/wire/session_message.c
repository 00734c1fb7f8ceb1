/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends and checks the first message of a connection. */
#include "comm/agent/wire/session_message.h"

#include <limits.h>
#include <string.h>

enum { WORDS = sizeof(ovk__session) / sizeof(uint64_t), RANKS_MOST = 1 << 20 };

ovk_err ovk__session_send(ovk_ctx *ctx, ovk__stream *stream, double seconds, double timeout)
{
  const ovk__session session = {.version = OVK__CONTROL_VERSION,
                                .rank = (uint64_t)ovk_ctx_rank(ctx),
                                .size = (uint64_t)ovk_ctx_size(ctx),
                                .timeout_ms = (uint64_t)(1000 * timeout)};
  uint64_t words[WORDS];
  memcpy(words, &session, sizeof words);
  return ovk__control_send(ctx, stream, seconds, OVK__SESSION, words, WORDS);
}

static ovk_err check(ovk_ctx *ctx, const ovk__message *m, ovk__session *s)
{
  OVK_CHECK(m->kind == OVK__SESSION && m->n == WORDS, ctx, OVK_ERR_ARG,
            "a connection must begin with the session message of a rank");
  memcpy(s, m->words, sizeof *s);
  OVK_CHECK(s->version == OVK__CONTROL_VERSION, ctx, OVK_ERR_ARG,
            "version %llu of the control messages, and the agent's is %d",
            (unsigned long long)s->version, OVK__CONTROL_VERSION);
  OVK_CHECK(s->size >= 1 && s->size <= RANKS_MOST && s->rank < s->size, ctx, OVK_ERR_ARG,
            "rank %llu in a session of %llu ranks", (unsigned long long)s->rank,
            (unsigned long long)s->size);
  OVK_CHECK(s->timeout_ms <= INT_MAX, ctx, OVK_ERR_ARG, "a timeout of %llu ms",
            (unsigned long long)s->timeout_ms);
  return OVK_OK;
}

ovk_err ovk__session_receive(ovk_ctx *ctx, ovk__stream *stream, double seconds, ovk__session *out)
{
  ovk__message m = {0};
  ovk_err err = ovk__control_receive(ctx, stream, seconds, WORDS, &m);
  if (err == OVK_ERR_RANGE)
    err = OVK_FAIL(ctx, OVK_ERR_ARG, "a session message has %d words", WORDS);
  if (!err) err = check(ctx, &m, out);
  ovk__message_free(&m);
  return err;
}
