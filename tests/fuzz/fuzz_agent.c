/* SPDX-License-Identifier: BSD-2-Clause */
/* Remote agents: who does not know the secret is not served, whatever is sent; whatever a rank
 * sends, after its session or in its place, the agent ends in an error that makes sense; a task
 * list that it takes stays within its buffers and ranks; and the answers that a rank takes are
 * whole, and their handshakes for peers of its schedule. */
#include "comm/agent/server.h"
#include "comm/agent/wire/handshake_message.h"
#include "comm/agent/wire/schedule_message.h"
#include "comm/agent/wire/session_message.h"
#include "core/base/clock.h"
#include "support/comm/agent_pair.h"
#include "support/fuzz/fuzz.h"

#include <ovkrylov/comm/schedule.h>
#include <string.h>
#include <sys/socket.h>

enum { RANK = 1, SIZE = 3, MOST_WORDS = 4096 };

/* Small numbers are frequent, numbers beyond all limits possible. */
static uint64_t draw_word(fuzz_bytes *in)
{
  const unsigned byte = fuzz_byte(in);
  return byte < 250 ? byte : (uint64_t)-1 >> 8 * (byte - 250);
}

static size_t draw_words(fuzz_bytes *in, size_t n, uint64_t words[MOST_WORDS])
{
  for (size_t k = 0; k < n; k++) words[k] = draw_word(in);
  return n;
}

static void check_place(const ovk__schedule_message *c, const ovk__action *a, ovk_place place)
{
  const size_t size = place.buffer == OVK_OUTPUT ? c->count : c->schedule.work;
  FUZZ_CHECK(place.buffer == OVK_OUTPUT || place.buffer == OVK_WORK, "buffer %d", place.buffer);
  FUZZ_CHECK(place.first <= size && a->count <= size - place.first, "%zu from %zu of %zu", a->count,
             place.first, size);
}

static void check_action(const ovk__schedule_message *c, const ovk__action *a, bool is_message)
{
  const bool sends = a->kind == OVK__SEND, receives = a->kind == OVK__RECEIVE;
  FUZZ_CHECK(is_message == (sends || receives), "kind %d", a->kind);
  if (!receives) check_place(c, a, a->from);
  if (!sends) check_place(c, a, a->to);
  if (!is_message) return;
  FUZZ_CHECK(a->channel == OVK__RDMA, "channel %d", a->channel);
  FUZZ_CHECK(a->peer >= 0 && a->peer <= SIZE && a->peer != RANK, "peer %d", a->peer);
}

static void check_list(fuzz_bytes *in)
{
  static uint64_t words[MOST_WORDS];
  ovk__schedule_message c;
  const size_t left = (size_t)(in->end - in->at);
  const size_t n = draw_words(in, left < MOST_WORDS ? left : MOST_WORDS, words);
  const ovk_err err = ovk__schedule_message_read(fuzz_ctx(), words, n, RANK, SIZE, &c);
  const ovk__schedule *s = &c.schedule;
  if (err) fuzz_refused(err);
  int actions = 0;
  for (int r = 0; !err && r < s->nrounds; r++) {
    const ovk__round *round = &s->rounds[r];
    FUZZ_CHECK(round->first == actions, "round %d begins at %d", r, round->first);
    for (int k = 0; k < round->nmessages + round->nlocal; k++) {
      check_action(&c, &s->actions[actions++], k < round->nmessages);
    }
  }
  FUZZ_CHECK(err || actions == s->nactions, "%d of %d actions", actions, s->nactions);
  ovk__schedule_free(&c.schedule);
}

/* Of one rank alone, as fuzz_ctx() is, the only handshake is the one to itself. */
static void check_handshakes(fuzz_bytes *in)
{
  static uint64_t words[MOST_WORDS];
  const ovk__schedule nothing = {0};
  SCOPED(ovk__handshakes_free) ovk__handshakes handshakes;
  ovk__handshake *own;
  const size_t left = (size_t)(in->end - in->at);
  const size_t n = draw_words(in, left < MOST_WORDS ? left : MOST_WORDS, words);
  const ovk_err err = ovk__handshakes_read(fuzz_ctx(), words, n, &nothing, &handshakes, &own);
  FUZZ_CHECK(!err || err == OVK_ERR_NETWORK, "%s", ovk_err_name(err));
  FUZZ_CHECK(err || (handshakes.n == 1 && own == handshakes.list), "%d handshakes", handshakes.n);
  FUZZ_CHECK(err || own->peer == MPI_PROC_NULL, "a handshake to %d", own->peer);
}

static const char secret[] = "0123456789abcdefg";

/* Opens a rank and its agent; `knows`: the rank has the agent's secret. */
static void open_pair(agent_pair *p, bool knows)
{
  const char *path = fuzz_path(0), *its = fuzz_path(1);
  FUZZ_CHECK(agent_write_secret(path, secret, strlen(secret) - !knows), "%s", path);
  FUZZ_CHECK(agent_write_secret(its, secret, strlen(secret)), "%s", its);
  const ovk_err err = agent_pair_open(p, fuzz_ctx(), path, its);
  FUZZ_CHECK(err == OVK_OK, "%s", ovk_err_name(err));
}

/* A stranger that says anything is no rank. */
static void check_stranger(fuzz_bytes *in)
{
  scoped_agent_pair p;
  open_pair(&p, true);
  (void)!send(p.agent[1], in->at, (size_t)(in->end - in->at), MSG_NOSIGNAL);
  shutdown(p.agent[1], SHUT_WR);
  for (int k = 0; k < 4; k++) agent_pair_shake_agent(&p);
  FUZZ_CHECK(!p.agent_proved && p.agent_err == OVK_ERR_NETWORK, "%s", ovk_err_name(p.agent_err));
  FUZZ_CHECK(*ovk_agent_server_message(p.server), "an error without a message");
}

/* Changes some bytes of a message. */
static void change(void *arg, ovk__side from, unsigned char *bytes, size_t n)
{
  fuzz_bytes *in = arg;
  (void)from;
  for (unsigned times = fuzz_below(in, 4); times > 0; times--) {
    bytes[fuzz_below(in, (unsigned)n)] ^= (unsigned char)fuzz_byte(in);
  }
}

/* Handshakes that somebody changes end or fail on both sides; without the secret they fail. */
static void check_shaking(fuzz_bytes *in)
{
  const bool knows = fuzz_byte(in) % 2;
  scoped_agent_pair p;
  open_pair(&p, knows);
  p.relay = change;
  p.arg = in;
  agent_pair_shake(&p);
  FUZZ_CHECK(knows || !(p.rank_proved || p.agent_proved), "authenticated without the secret");
  FUZZ_CHECK(!p.agent_proved || p.rank_proved, "an agent takes what no rank has completed");
}

static void open_authenticated(agent_pair *p)
{
  open_pair(p, true);
  agent_pair_shake(p);
  FUZZ_CHECK(p->rank_proved && p->agent_proved, "%s, %s", ovk_err_name(p->rank_err),
             ovk_err_name(p->agent_err));
}

static void say(const agent_pair *p, unsigned kind, const uint64_t *words, size_t n)
{
  (void)ovk__control_send(NULL, p->stream, 1, (ovk__control_kind)kind, words, n);
}

static void send_session(const agent_pair *p)
{
  const uint64_t words[] = {OVK__CONTROL_VERSION, RANK, SIZE, 0};
  say(p, OVK__SESSION, words, 4);
}

/* Messages of any kind, with as many words as the input says. */
static void say_messages(const agent_pair *p, fuzz_bytes *in)
{
  uint64_t words[MOST_WORDS];
  while (in->at < in->end) {
    const unsigned kind = fuzz_byte(in) % (OVK__FAILED + 2);
    say(p, kind, words, draw_words(in, fuzz_byte(in), words));
  }
}

/* All is said before the agent begins, and fits into the sockets. */
static void converse(fuzz_bytes *in, bool session, bool raw)
{
  scoped_agent_pair p;
  open_authenticated(&p);
  if (session) send_session(&p);
  if (raw) {
    (void)ovk__stream_send(NULL, p.stream, ovk__clock() + 1, in->at, (size_t)(in->end - in->at));
  } else {
    say_messages(&p, in);
  }
  (void)agent_pair_move(&p);
  shutdown(p.agent[1], SHUT_WR);
  const ovk_err err = ovk_agent_client_serve(p.client);
  const char *why = ovk_agent_server_message(p.server);
  FUZZ_CHECK(err == OVK_OK || err == OVK_ERR_ARG || err == OVK_ERR_NETWORK || err == OVK_ERR_MEMORY,
             "%s: %s", ovk_err_name(err), why);
  FUZZ_CHECK(*why, "%s without a word", ovk_err_name(err));
}

/* Whatever an agent answers, its rank receives whole messages of known kinds, or an error. */
static void check_answers(fuzz_bytes *in)
{
  SCOPED(ovk__message_free) ovk__message m = {0};
  scoped_agent_pair p;
  ovk_err err;
  open_authenticated(&p);
  (void)ovk__stream_send(NULL, p.client->stream, ovk__clock() + 1, in->at,
                         (size_t)(in->end - in->at));
  (void)agent_pair_move(&p);
  shutdown(p.rank[1], SHUT_WR);
  do {
    ovk__message_free(&m);
    err = ovk__control_receive(fuzz_ctx(), p.stream, 1, MOST_WORDS, &m);
    FUZZ_CHECK(!err || err == OVK_ERR_NETWORK || err == OVK_ERR_RANGE, "%s", ovk_err_name(err));
    FUZZ_CHECK(err || m.kind <= OVK__FAILED, "kind %llu", (unsigned long long)m.kind);
    FUZZ_CHECK(err || m.n <= MOST_WORDS, "%zu words", m.n);
  } while (!err && m.kind);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { BYTES_MOST = 1 << 13 };
  fuzz_bytes in = {data, data + (size < BYTES_MOST ? size : BYTES_MOST)};
  switch (fuzz_below(&in, 9)) {
  case 0:
    check_stranger(&in);
    break;
  case 1:
    converse(&in, true, true);
    break;
  case 2:
    converse(&in, true, false);
    break;
  case 3:
    check_list(&in);
    break;
  case 4:
    check_handshakes(&in);
    break;
  case 5:
    check_shaking(&in);
    break;
  case 6:
    converse(&in, false, true);
    break;
  case 7:
    converse(&in, false, false);
    break;
  default:
    check_answers(&in);
  }
  return 0;
}
