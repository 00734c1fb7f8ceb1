/* SPDX-License-Identifier: BSD-2-Clause */
/* Remote agents: whatever a connection says, behind a rank's hello or instead of it, the agent ends
 * in an error that makes sense; a task list that it takes stays within its buffers and ranks; and
 * handshakes that a rank takes are for peers of its schedule. */
#include "agent/handshake_message.h"
#include "agent/hello.h"
#include "agent/list_message.h"
#include "fuzz.h"

#include <fcntl.h>
#include <ovkrylov/agent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void check_place(const ovk__list_content *c, const ovk__action *a, ovk_place place)
{
  const size_t size = place.buffer == OVK_OUTPUT ? c->count : c->schedule.work;
  FUZZ_CHECK(place.buffer == OVK_OUTPUT || place.buffer == OVK_WORK, "buffer %d", place.buffer);
  FUZZ_CHECK(place.first <= size && a->count <= size - place.first, "%zu from %zu of %zu", a->count,
             place.first, size);
}

static void check_action(const ovk__list_content *c, const ovk__action *a, bool is_message)
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
  ovk__list_content c;
  const size_t left = (size_t)(in->end - in->at);
  const size_t n = draw_words(in, left < MOST_WORDS ? left : MOST_WORDS, words);
  const ovk_err err = ovk__list_read(fuzz_ctx(), words, n, RANK, SIZE, &c);
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
  ovk__handshakes handshakes;
  ovk__handshake *own;
  const size_t left = (size_t)(in->end - in->at);
  const size_t n = draw_words(in, left < MOST_WORDS ? left : MOST_WORDS, words);
  const ovk_err err = ovk__handshakes_read(fuzz_ctx(), words, n, &nothing, &handshakes, &own);
  FUZZ_CHECK(!err || err == OVK_ERR_NETWORK, "%s", ovk_err_name(err));
  FUZZ_CHECK(err || (handshakes.n == 1 && own == handshakes.list), "%d handshakes", handshakes.n);
  FUZZ_CHECK(err || own->peer == MPI_PROC_NULL, "a handshake to %d", own->peer);
  ovk__handshakes_free(&handshakes);
}

static const char *secret_path(void)
{
  const char *path = fuzz_path(1);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
  FUZZ_CHECK(file >= 0, "%s", path);
  FUZZ_CHECK(fchmod(file, S_IRUSR | S_IWUSR) == 0, "%s", path);
  FUZZ_CHECK(write(file, "0123456789abcdef", 16) == 16, "%s", path);
  close(file);
  return path;
}

static void say(int socket, unsigned kind, const uint64_t *words, size_t n)
{
  (void)ovk__control_send(NULL, socket, (ovk__control_kind)kind, words, n);
}

static void say_hello(int socket, const char *secret)
{
  ovk__hello hello;
  FUZZ_CHECK(ovk__hello_make(fuzz_ctx(), secret, 0, &hello) == OVK_OK, "%s", secret);
  hello.rank = RANK;
  hello.size = SIZE;
  (void)ovk__hello_send(NULL, socket, &hello);
}

/* Messages of any kind, with as many words as the input says. */
static void say_messages(int socket, fuzz_bytes *in)
{
  uint64_t words[MOST_WORDS];
  while (in->at < in->end) {
    const unsigned kind = fuzz_byte(in) % (OVK__FAILED + 2);
    say(socket, kind, words, draw_words(in, fuzz_byte(in), words));
  }
}

/* All is said before the agent begins, and fits into the socket. */
static void converse(fuzz_bytes *in, bool hello, bool raw)
{
  int ends[2];
  char why[256];
  const char *secret = secret_path();
  const ovk_agent_terms terms = {
      .size = sizeof terms, .secret = secret, .adapter = "device=emulated", .memory = 1 << 20};
  FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no sockets");
  FUZZ_CHECK(ovk__control_limit(NULL, ends[0], 1) == OVK_OK, "no limit");
  if (hello) say_hello(ends[0], secret);
  if (raw) {
    (void)!send(ends[0], in->at, (size_t)(in->end - in->at), MSG_NOSIGNAL);
  } else {
    say_messages(ends[0], in);
  }
  shutdown(ends[0], SHUT_WR);
  const ovk_err err = ovk_agent_serve(ends[1], &terms, why, sizeof why);
  FUZZ_CHECK(err == OVK_OK || err == OVK_ERR_ARG || err == OVK_ERR_NETWORK || err == OVK_ERR_MEMORY,
             "%s: %s", ovk_err_name(err), why);
  FUZZ_CHECK(*why, "%s without a word", ovk_err_name(err));
  close(ends[0]);
  close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { BYTES_MOST = 1 << 13 };
  fuzz_bytes in = {data, data + (size < BYTES_MOST ? size : BYTES_MOST)};
  switch (fuzz_below(&in, 5)) {
  case 0:
    converse(&in, false, true);
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
  default:
    check_handshakes(&in);
  }
  return 0;
}
