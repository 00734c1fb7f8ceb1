/* SPDX-License-Identifier: BSD-2-Clause */
/* What a rank says to its remote agent. */
#include "agent/remote.h"
#include "agent/control.h"
#include "agent/find.h"
#include "agent/list_message.h"
#include "base/mem.h"
#include "core/ctx_impl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct ovk__remote {
  ovk_ctx *ctx;
  int socket;
  char address[OVK__AGENT_ADDRESS_SIZE];
};

/* Seconds to wait for an answer, for which an agent takes milliseconds unless it is stopped. */
static double patience(double timeout)
{
  const double least = 1, most = 30;
  return timeout <= 0 || timeout > most ? most : timeout < least ? least : timeout;
}

/* Adds to an error's message where the agent is. After all but a refusal the two sides are out of
 * step: a late answer must not be taken for that of the next message. */
static ovk_err place(const ovk__remote *r, ovk_err err)
{
  if (!err) return OVK_OK;
  ovk__set_message(r->ctx, "the agent at %s: %s", r->address, r->ctx->message);
  if (err != OVK_ERR_UNSUPPORTED) (void)shutdown(r->socket, SHUT_RDWR);
  return err;
}

static ovk_err check_kind(ovk_ctx *ctx, const ovk__message *m, ovk__control_kind expected)
{
  const int length = (int)(m->n * sizeof *m->words);
  OVK_CHECK(m->kind != OVK__REFUSED, ctx, OVK_ERR_UNSUPPORTED, "%.*s", length,
            (const char *)m->words);
  OVK_CHECK(m->kind, ctx, OVK_ERR_NETWORK, "it has ended the connection");
  OVK_CHECK(m->kind == expected, ctx, OVK_ERR_NETWORK, "it answers with a message of kind %llu",
            (unsigned long long)m->kind);
  return OVK_OK;
}

static ovk_err receive(const ovk__remote *r, ovk__control_kind expected, ovk__message *out)
{
  OVK_TRY(ovk__control_receive(r->ctx, r->socket, OVK__CONTROL_MOST, out));
  return check_kind(r->ctx, out, expected);
}

/* Sends a message that is answered with DONE. What the agent said when it ended is more than that
 * it does not listen. */
static ovk_err ask(const ovk__remote *r, ovk__control_kind kind, const uint64_t *words, size_t n)
{
  ovk__message m = {0};
  ovk_err err = ovk__control_send(r->ctx, r->socket, kind, words, n);
  if (!err) err = receive(r, OVK__DONE, &m);
  ovk__message_free(&m);
  return err;
}

static ovk_err introduce(const ovk__remote *r, const char *secret, double timeout)
{
  ovk__hello h = {.version = OVK__CONTROL_VERSION,
                  .rank = (uint64_t)ovk_ctx_rank(r->ctx),
                  .size = (uint64_t)ovk_ctx_size(r->ctx),
                  .timeout_ms = (uint64_t)(1000 * timeout)};
  uint64_t words[OVK__HELLO_WORDS];
  OVK_TRY(ovk__secret_read(r->ctx, secret, h.secret));
  memcpy(words, &h, sizeof words);
  const ovk_err err = place(r, ask(r, OVK__HELLO, words, OVK__HELLO_WORDS));
  return err == OVK_ERR_UNSUPPORTED ? OVK_ERR_NETWORK : err; /* refused: there is no agent */
}

bool ovk__remote_is_address(const char *text)
{
  return strchr(text, ':') || strchr(text, '/');
}

ovk_err ovk__remote_open(ovk_ctx *ctx, const char *where, const char *secret, double timeout,
                         ovk__remote **out)
{
  OVK_CHECK(secret, ctx, OVK_ERR_ARG,
            "agent=%s needs a secret: OVK_AGENT_SECRET names the file that has it", where);
  ovk__remote *r = *out = calloc(1, sizeof *r);
  OVK_CHECK(r, ctx, OVK_ERR_MEMORY, "no memory for a connection to an agent");
  r->ctx = ctx;
  OVK_TRY(ovk__agent_find(ctx, where, patience(timeout), r->address, &r->socket));
  return introduce(r, secret, timeout);
}

void ovk__remote_close(ovk__remote **remote)
{
  ovk__remote *r = *remote;
  if (!r) return;
  if (r->socket >= 0) close(r->socket);
  free(r);
  *remote = NULL;
}

/* The words of a message that have not been read. */
typedef struct rest {
  const uint64_t *next, *end;
} rest;

enum { PEER, NOUT, NIN, HEAD }; /* in front of a letter */

/* Reads the head of a letter, and leaves out its words. */
static bool read_head(const ovk__remote *r, rest *m, ovk__letter *l)
{
  const int size = ovk_ctx_size(r->ctx);
  const uint64_t *w = m->next;
  if (m->end - w < HEAD || w[PEER] > (uint64_t)size || w[NIN] > OVK__CONTROL_MOST) return false;
  if (w[NOUT] > (uint64_t)(m->end - w) - HEAD) return false;
  const int peer = w[PEER] == (uint64_t)size ? MPI_PROC_NULL : (int)w[PEER];
  *l = (ovk__letter){.peer = peer, .nout = (int)w[NOUT], .nin = (int)w[NIN]};
  m->next += HEAD + w[NOUT];
  return true;
}

static ovk_err read_letters(const ovk__remote *r, const ovk__message *m, ovk__letters *out,
                            ovk__letter **own)
{
  const uint64_t n = m->n ? m->words[0] : 0;
  rest left = {m->words + 1, m->words + m->n};
  OVK_CHECK(n >= 1 && n <= (uint64_t)ovk_ctx_size(r->ctx), r->ctx, OVK_ERR_NETWORK,
            "it has %llu letters", (unsigned long long)n);
  OVK_TRY(ovk__letters_make(r->ctx, (int)n, out));
  bool good = true;
  for (int k = 0; k < out->n && good; k++) {
    ovk__letter *l = &out->list[k];
    good = read_head(r, &left, l);
    if (good && l->peer == MPI_PROC_NULL) *own = l;
  }
  OVK_CHECK(good && *own && left.next == left.end, r->ctx, OVK_ERR_NETWORK,
            "its letters make no sense");
  OVK_TRY(ovk__letters_allot(r->ctx, out));
  const uint64_t *next = m->words + 1;
  for (int k = 0; k < out->n; k++) {
    const ovk__letter *l = &out->list[k];
    memcpy(l->out, next + HEAD, (size_t)l->nout * sizeof *next);
    next += HEAD + l->nout;
  }
  return OVK_OK;
}

static ovk_err offer(const ovk__remote *r, uint64_t id, const ovk__schedule *schedule, size_t count,
                     ovk__letters *letters, ovk__letter **own)
{
  uint64_t *words = NULL;
  size_t n;
  ovk__message m = {0};
  OVK_TRY(ovk__list_write(r->ctx, id, schedule, count, &words, &n));
  ovk_err err = ovk__control_send(r->ctx, r->socket, OVK__LIST, words, n);
  free(words);
  if (!err) err = receive(r, OVK__LETTERS, &m);
  if (!err) err = read_letters(r, &m, letters, own);
  ovk__message_free(&m);
  return err;
}

ovk_err ovk__remote_offer(ovk__remote *remote, uint64_t id, const ovk__schedule *schedule,
                          size_t count, ovk__letters *letters, ovk__letter **own)
{
  *letters = (ovk__letters){0};
  *own = NULL;
  return place(remote, offer(remote, id, schedule, count, letters, own));
}

ovk_err ovk__remote_join(ovk__remote *remote, uint64_t id, const ovk__letters *letters)
{
  uint64_t *words;
  size_t n = 1;
  for (int k = 0; k < letters->n; k++) n += (size_t)letters->list[k].nin;
  OVK_NEW_ARRAY(remote->ctx, words, n);
  uint64_t *next = words;
  *next++ = id;
  for (int k = 0; k < letters->n; k++) {
    const ovk__letter *l = &letters->list[k];
    memcpy(next, l->in, (size_t)l->nin * sizeof *next);
    next += l->nin;
  }
  const ovk_err err = place(remote, ask(remote, OVK__JOIN, words, n));
  free(words);
  return err;
}

/* An agent that does not take it has failed, or fails: the next sum finds out. */
void ovk__remote_drop(ovk__remote *remote, uint64_t id)
{
  char message[sizeof remote->ctx->message];
  memcpy(message, remote->ctx->message, sizeof message);
  (void)ovk__control_send(remote->ctx, remote->socket, OVK__DROP, &id, 1);
  memcpy(remote->ctx->message, message, sizeof message);
}
