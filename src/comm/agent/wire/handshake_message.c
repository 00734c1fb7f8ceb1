/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes, reads and checks handshakes in messages. */
#include "comm/agent/wire/handshake_message.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PEER, NOUT, NIN, HEAD }; /* the header of a handshake */

ovk_err ovk__handshakes_write(ovk_ctx *ctx, const ovk__handshakes *handshakes, uint64_t **words,
                              size_t *n)
{
  *n = 1;
  for (int k = 0; k < handshakes->n; k++) *n += HEAD + (size_t)handshakes->list[k].nout;
  OVK_NEW_ARRAY(ctx, *words, *n);
  uint64_t *next = *words;
  *next++ = (uint64_t)handshakes->n;
  for (int k = 0; k < handshakes->n; k++) {
    const ovk__handshake *h = &handshakes->list[k];
    next[PEER] = (uint64_t)h->peer;
    next[NOUT] = (uint64_t)h->nout;
    next[NIN] = (uint64_t)h->nin;
    memcpy(next + HEAD, h->out, (size_t)h->nout * sizeof *next);
    next += HEAD + h->nout;
  }
  return OVK_OK;
}

/* The numbers of messages of a schedule to and from a rank. */
typedef struct messages {
  int sends, receives;
} messages;

/* *out, to be freed <- the numbers for each rank, followed by those for the rank of the agent. */
static ovk_err count_messages(ovk_ctx *ctx, const ovk__schedule *s, messages **out)
{
  const int size = ovk_ctx_size(ctx);
  OVK_NEW_ZEROS(ctx, *out, size + 1);
  messages *with = *out;
  with[size] = (messages){1, 1};
  for (int k = 0; k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    if (a->kind == OVK__SEND) with[a->peer].sends++;
    if (a->kind == OVK__RECEIVE) with[a->peer].receives++;
  }
  return OVK_OK;
}

/* Reads the headers of handshakes without their words; false: the message has fewer. */
static bool read_heads(const uint64_t *words, size_t n, const ovk__handshakes *handshakes,
                       uint64_t size)
{
  enum { MOST = 1 << 24 }; /* words of a handshake */
  const uint64_t *next = words + 1, *end = words + n;
  for (int k = 0; k < handshakes->n; k++) {
    if (end - next < HEAD || next[PEER] > size || next[NIN] > MOST) return false;
    if (next[NOUT] > (uint64_t)(end - next) - HEAD) return false;
    handshakes->list[k] =
        (ovk__handshake){.peer = (int)next[PEER], .nout = (int)next[NOUT], .nin = (int)next[NIN]};
    next += HEAD + next[NOUT];
  }
  return next == end;
}

/* Handshakes with all ranks have the same words, and one more out for each message from the rank
 * and one more in for each message to it. The numbers of checked handshakes in `with` become 0. */
static bool fit(const ovk__handshakes *handshakes, const ovk__handshake *own, messages *with,
                int size)
{
  for (int k = 0; k < handshakes->n; k++) {
    const ovk__handshake *h = &handshakes->list[k];
    const messages m = with[h->peer];
    if (m.sends + m.receives == 0 || h->nout - own->nout != m.receives - 1 ||
        h->nin - own->nin != m.sends - 1)
      return false;
    with[h->peer] = (messages){0, 0};
  }
  for (int peer = 0; peer <= size; peer++) {
    if (with[peer].sends + with[peer].receives > 0) return false;
  }
  return true;
}

static ovk_err read_and_check(ovk_ctx *ctx, const uint64_t *words, size_t n, messages *with,
                              ovk__handshakes *out, ovk__handshake **own)
{
  const int size = ovk_ctx_size(ctx);
  OVK_CHECK(n >= 1 && words[0] >= 1 && words[0] <= (uint64_t)size, ctx, OVK_ERR_NETWORK,
            "%llu handshakes for %d ranks", n ? (unsigned long long)words[0] : 0, size);
  OVK_TRY(ovk__handshakes_make(ctx, (int)words[0], out));
  const bool whole = read_heads(words, n, out, (uint64_t)size);
  for (int k = 0; k < out->n; k++) {
    if (out->list[k].peer == size) *own = &out->list[k];
  }
  OVK_CHECK(whole && *own && fit(out, *own, with, size), ctx, OVK_ERR_NETWORK,
            "the handshakes of the agent do not match the schedule");
  return OVK_OK;
}

ovk_err ovk__handshakes_read(ovk_ctx *ctx, const uint64_t *words, size_t n,
                             const ovk__schedule *schedule, ovk__handshakes *out,
                             ovk__handshake **own)
{
  messages *with;
  *out = (ovk__handshakes){0};
  *own = NULL;
  OVK_TRY(count_messages(ctx, schedule, &with));
  const ovk_err err = read_and_check(ctx, words, n, with, out, own);
  free(with);
  if (err) return err;
  (*own)->peer = MPI_PROC_NULL;
  OVK_TRY(ovk__handshakes_allot(ctx, out));
  const uint64_t *next = words + 1;
  for (int k = 0; k < out->n; k++) {
    const ovk__handshake *h = &out->list[k];
    memcpy(h->out, next + HEAD, (size_t)h->nout * sizeof *next);
    next += HEAD + h->nout;
  }
  return OVK_OK;
}

ovk_err ovk__connect_message_write(ovk_ctx *ctx, uint64_t id, const ovk__handshakes *handshakes,
                                   uint64_t **words, size_t *n)
{
  *n = 1;
  for (int k = 0; k < handshakes->n; k++) *n += (size_t)handshakes->list[k].nin;
  OVK_NEW_ARRAY(ctx, *words, *n);
  uint64_t *next = *words;
  *next++ = id;
  for (int k = 0; k < handshakes->n; k++) {
    const ovk__handshake *h = &handshakes->list[k];
    memcpy(next, h->in, (size_t)h->nin * sizeof *next);
    next += h->nin;
  }
  return OVK_OK;
}

bool ovk__connect_message_read(const uint64_t *words, size_t n, const ovk__handshakes *handshakes)
{
  const uint64_t *next = words + 1, *end = words + n;
  for (int k = 0; k < handshakes->n; k++) {
    const ovk__handshake *h = &handshakes->list[k];
    if (end - next < h->nin) return false;
    memcpy(h->in, next, (size_t)h->nin * sizeof *next);
    next += h->nin;
  }
  return next == end && handshakes->n > 0; /* none are left of a list that is connected */
}
