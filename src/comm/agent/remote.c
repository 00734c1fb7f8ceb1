/* SPDX-License-Identifier: BSD-2-Clause */
/* The side of a rank of the control connection to its remote agent. */
#include "comm/agent/remote.h"
#include "comm/agent/find.h"
#include "comm/agent/wire/handshake_message.h"
#include "comm/agent/wire/schedule_message.h"
#include "comm/agent/wire/session_message.h"
#include "core/base/clock.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ovk__remote {
  ovk_ctx *ctx;
  ovk__tls *tls;
  int socket;
  ovk__stream *stream;
  double patience; /* seconds to wait for an answer */
  char address[OVK__AGENT_ADDRESS_SIZE];
};

/* An agent answers within milliseconds unless it is stopped. */
static double patience(double timeout)
{
  const double least = 1, most = 30;
  return timeout <= 0 || timeout > most ? most : timeout < least ? least : timeout;
}

/* Adds the address of the agent to an error message. After any error except a refusal the two sides
 * are out of step: a late answer must not be mistaken for that of the next message. */
static ovk_err add_address(const ovk__remote *r, ovk_err err)
{
  if (!err) return OVK_OK;
  ovk__set_message(r->ctx, "the agent at %s: %s", r->address, r->ctx->message);
  if (err != OVK_ERR_UNSUPPORTED) ovk__stream_hang_up(r->stream);
  return err;
}

static ovk_err check_kind(ovk_ctx *ctx, const ovk__message *m, ovk__control_kind expected)
{
  const int length = (int)(m->n * sizeof *m->words);
  const bool refused = m->kind == OVK__REFUSED;
  OVK_CHECK(!refused && m->kind != OVK__FAILED, ctx,
            refused ? OVK_ERR_UNSUPPORTED : OVK_ERR_NETWORK, "%.*s", length,
            (const char *)m->words);
  OVK_CHECK(m->kind, ctx, OVK_ERR_NETWORK, "it has closed the connection");
  OVK_CHECK(m->kind == expected, ctx, OVK_ERR_NETWORK, "it answers with a message of kind %llu",
            (unsigned long long)m->kind);
  return OVK_OK;
}

static ovk_err receive(const ovk__remote *r, ovk__control_kind expected, ovk__message *out)
{
  OVK_TRY(ovk__control_receive(r->ctx, r->stream, r->patience, OVK__CONTROL_MOST, out));
  return check_kind(r->ctx, out, expected);
}

static ovk_err confirm(const ovk__remote *r)
{
  ovk__message m = {0};
  const ovk_err err = receive(r, OVK__DONE, &m);
  ovk__message_free(&m);
  return err;
}

bool ovk__remote_is_address(const char *text)
{
  return strchr(text, ':') || strchr(text, '/');
}

static void disconnect(ovk__remote *r)
{
  ovk__stream_destroy(&r->stream);
  if (r->socket >= 0) close(r->socket);
  r->socket = -1;
}

/* *turned_away: the agent has closed the connection before either side was authenticated. */
static ovk_err connect_once(ovk__remote *r, const char *where, bool *turned_away)
{
  const double end = ovk__clock() + r->patience;
  *turned_away = false;
  disconnect(r);
  OVK_TRY(ovk__agent_find(r->ctx, where, r->patience, r->address, &r->socket));
  ovk_err err = ovk__stream_create(r->ctx, r->tls, r->socket, &r->stream);
  if (!err) err = ovk__stream_authenticate_until(r->ctx, r->stream, end);
  *turned_away = err && r->stream && ovk__stream_has_ended(r->stream);
  if (err) ovk__set_message(r->ctx, "the agent at %s: %s", r->address, r->ctx->message);
  return err;
}

/* An agent closes new connections while too many are not authenticated, for example if many ranks
 * connect at once. These ranks try again, at different times. */
static ovk_err connect_to(ovk__remote *r, const char *where)
{
  const double most = 5, end = ovk__clock() + fmin(most, r->patience);
  bool turned_away;
  ovk_err err = connect_once(r, where, &turned_away);
  for (int k = 0; turned_away && ovk__clock() < end; k++) {
    const long milliseconds = 10 + 10 * (k < 16 ? k : 16) + ovk_ctx_rank(r->ctx) % 16;
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
    err = connect_once(r, where, &turned_away);
  }
  return err;
}

ovk_err ovk__remote_open(ovk_ctx *ctx, const char *where, const char *secret, double timeout,
                         ovk__remote **out)
{
  OVK_CHECK(secret, ctx, OVK_ERR_ARG,
            "agent=%s needs a secret: OVK_AGENT_SECRET names the file that has it", where);
  OVK_NEW_AT(ctx, *out, ovk__remote, remote);
  *remote = (ovk__remote){.ctx = ctx, .socket = -1, .patience = patience(timeout)};
  OVK_TRY(ovk__tls_create(ctx, OVK__RANK_SIDE, secret, &remote->tls));
  OVK_TRY(connect_to(remote, where));
  ovk_err err = ovk__session_send(ctx, remote->stream, remote->patience, timeout);
  if (!err) err = confirm(remote);
  return add_address(remote, err);
}

void ovk__remote_close(ovk__remote **remote)
{
  ovk__remote *r = *remote;
  if (!r) return;
  disconnect(r);
  ovk__tls_destroy(&r->tls);
  free(r);
  *remote = NULL;
}

static ovk_err register_schedule(const ovk__remote *r, uint64_t id, const ovk__schedule *schedule,
                                 size_t count, ovk__handshakes *handshakes, ovk__handshake **own)
{
  uint64_t *words = NULL;
  size_t n;
  ovk__message m = {0};
  OVK_TRY(ovk__schedule_message_write(r->ctx, id, schedule, count, &words, &n));
  ovk_err err = ovk__control_send(r->ctx, r->stream, r->patience, OVK__REGISTER, words, n);
  free(words);
  if (!err) err = receive(r, OVK__HANDSHAKES, &m);
  if (!err) err = ovk__handshakes_read(r->ctx, m.words, m.n, schedule, handshakes, own);
  ovk__message_free(&m);
  return err;
}

ovk_err ovk__remote_register(ovk__remote *remote, uint64_t id, const ovk__schedule *schedule,
                             size_t count, ovk__handshakes *handshakes, ovk__handshake **own)
{
  *handshakes = (ovk__handshakes){0};
  *own = NULL;
  return add_address(remote, register_schedule(remote, id, schedule, count, handshakes, own));
}

static ovk_err connect_schedule(const ovk__remote *r, uint64_t id,
                                const ovk__handshakes *handshakes)
{
  uint64_t *words;
  size_t n;
  OVK_TRY(ovk__connect_message_write(r->ctx, id, handshakes, &words, &n));
  const ovk_err err = ovk__control_send(r->ctx, r->stream, r->patience, OVK__CONNECT, words, n);
  free(words);
  return err ? err : confirm(r);
}

ovk_err ovk__remote_connect(ovk__remote *remote, uint64_t id, const ovk__handshakes *handshakes)
{
  return add_address(remote, connect_schedule(remote, id, handshakes));
}

/* An agent that does not receive this has failed or fails: the next reduction reports that. */
void ovk__remote_unregister(ovk__remote *remote, uint64_t id)
{
  char message[sizeof remote->ctx->message];
  memcpy(message, remote->ctx->message, sizeof message);
  (void)ovk__control_send(remote->ctx, remote->stream, remote->patience, OVK__UNREGISTER, &id, 1);
  memcpy(remote->ctx->message, message, sizeof message);
}
