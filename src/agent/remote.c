/* SPDX-License-Identifier: BSD-2-Clause */
/* What a rank says to its remote agent. */
#include "agent/remote.h"
#include "agent/find.h"
#include "agent/handshake_message.h"
#include "agent/hello.h"
#include "agent/list_message.h"
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
  const bool refused = m->kind == OVK__REFUSED;
  OVK_CHECK(!refused && m->kind != OVK__FAILED, ctx,
            refused ? OVK_ERR_UNSUPPORTED : OVK_ERR_NETWORK, "%.*s", length,
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

static ovk_err confirm(const ovk__remote *r)
{
  ovk__message m = {0};
  const ovk_err err = receive(r, OVK__DONE, &m);
  ovk__message_free(&m);
  return err;
}

static ovk_err introduce(const ovk__remote *r, const ovk__hello *hello)
{
  OVK_TRY(ovk__hello_send(r->ctx, r->socket, hello));
  return confirm(r);
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
  ovk__hello hello;
  ovk__remote *r = *out = calloc(1, sizeof *r);
  OVK_CHECK(r, ctx, OVK_ERR_MEMORY, "no memory for a connection to an agent");
  *r = (ovk__remote){.ctx = ctx, .socket = -1};
  OVK_TRY(ovk__hello_make(ctx, secret, timeout, &hello));
  OVK_TRY(ovk__agent_find(ctx, where, patience(timeout), r->address, &r->socket));
  return place(r, introduce(r, &hello));
}

void ovk__remote_close(ovk__remote **remote)
{
  ovk__remote *r = *remote;
  if (!r) return;
  if (r->socket >= 0) close(r->socket);
  free(r);
  *remote = NULL;
}

static ovk_err offer(const ovk__remote *r, uint64_t id, const ovk__schedule *schedule, size_t count,
                     ovk__handshakes *handshakes, ovk__handshake **own)
{
  uint64_t *words = NULL;
  size_t n;
  ovk__message m = {0};
  OVK_TRY(ovk__list_write(r->ctx, id, schedule, count, &words, &n));
  ovk_err err = ovk__control_send(r->ctx, r->socket, OVK__LIST, words, n);
  free(words);
  if (!err) err = receive(r, OVK__HANDSHAKES, &m);
  if (!err) err = ovk__handshakes_read(r->ctx, m.words, m.n, schedule, handshakes, own);
  ovk__message_free(&m);
  return err;
}

ovk_err ovk__remote_offer(ovk__remote *remote, uint64_t id, const ovk__schedule *schedule,
                          size_t count, ovk__handshakes *handshakes, ovk__handshake **own)
{
  *handshakes = (ovk__handshakes){0};
  *own = NULL;
  return place(remote, offer(remote, id, schedule, count, handshakes, own));
}

static ovk_err join(const ovk__remote *r, uint64_t id, const ovk__handshakes *handshakes)
{
  uint64_t *words;
  size_t n;
  OVK_TRY(ovk__join_write(r->ctx, id, handshakes, &words, &n));
  const ovk_err err = ovk__control_send(r->ctx, r->socket, OVK__JOIN, words, n);
  free(words);
  return err ? err : confirm(r);
}

ovk_err ovk__remote_join(ovk__remote *remote, uint64_t id, const ovk__handshakes *handshakes)
{
  return place(remote, join(remote, id, handshakes));
}

/* An agent that does not take it has failed, or fails: the next sum finds out. */
void ovk__remote_drop(ovk__remote *remote, uint64_t id)
{
  char message[sizeof remote->ctx->message];
  memcpy(message, remote->ctx->message, sizeof message);
  (void)ovk__control_send(remote->ctx, remote->socket, OVK__DROP, &id, 1);
  memcpy(remote->ctx->message, message, sizeof message);
}
