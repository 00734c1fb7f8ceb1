/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a remote agent: whatever lists its rank has it take, and drop again, its process
 * grows by no more than it allows, or 1.2 times as much, and it uses most of that. */
#include "comm/agent/wire/control.h"
#include "comm/agent/wire/schedule_message.h"
#include "core/base/clock.h"
#include "support/comm/agent_pair.h"
#include "support/test_main.h"

#include <ovkrylov/comm/agent.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { MEMORY = 8 << 20, RANK = 1, SIZE = 3, PATIENCE = 300 };

/* Lists: values, rounds, and messages and combinations of each round, of `elements` each. */
typedef struct shape {
  size_t count;
  int rounds, messages, local;
  size_t elements;
} shape;

/* The agent's process, and the rank. */
typedef struct world {
  char secret[64];
  int ends[2];
  pid_t agent;
  ovk__tls *tls;
  ovk__stream *stream;
} world;

/* The agent's process. */
static void serve(const world *w)
{
  const ovk_agent_options options = {
      .size = sizeof options, .secret = w->secret, .nic = "device=emulated", .memory = MEMORY};
  ovk_agent_server *server;
  ovk_agent_client *client;
  short events = 1;
  close(w->ends[0]);
  ovk_err err = ovk_agent_server_create(&options, &server);
  if (!err) err = ovk_agent_client_create(server, w->ends[1], &client);
  while (!err && events) err = ovk_agent_client_authenticate(client, &events);
  if (!err) err = ovk_agent_client_serve(client);
  if (err) fprintf(stderr, "agent: %s\n", ovk_agent_server_message(server));
  _exit(err != OVK_OK);
}

static void expect(const world *w, ovk__control_kind kind)
{
  SCOPED(ovk__message_free) ovk__message m;
  assert_ok(ovk__control_receive(test_ctx(), w->stream, PATIENCE, OVK__CONTROL_MOST, &m));
  if (m.kind != (uint64_t)kind && m.n) print_error("%s\n", (const char *)m.words);
  assert_int_equal(m.kind, kind);
}

static void send_words(const world *w, ovk__control_kind kind, const uint64_t *words, size_t n)
{
  assert_ok(ovk__control_send(test_ctx(), w->stream, PATIENCE, kind, words, n));
}

static void open_world(world *w)
{
  static const char secret[] = "known to ranks and agents";
  const uint64_t session[] = {OVK__CONTROL_VERSION, RANK, SIZE, 0};
  *w = (world){.agent = -1};
  snprintf(w->secret, sizeof w->secret, "/tmp/ovk-memory-%d", (int)getpid());
  assert_true(agent_write_secret(w->secret, secret, sizeof secret));
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, w->ends), 0);
  w->agent = fork();
  assert_true(w->agent >= 0);
  if (w->agent == 0) serve(w);
  close(w->ends[1]);
  assert_ok(ovk__tls_create(test_ctx(), OVK__RANK_SIDE, w->secret, &w->tls));
  assert_ok(ovk__stream_create(test_ctx(), w->tls, w->ends[0], &w->stream));
  assert_ok(ovk__stream_authenticate_until(test_ctx(), w->stream, ovk__clock() + PATIENCE));
  send_words(w, OVK__SESSION, session, 4);
  expect(w, OVK__DONE);
}

static void close_world(world *w)
{
  int status;
  ovk__stream_destroy(&w->stream);
  ovk__tls_destroy(&w->tls);
  close(w->ends[0]);
  assert_int_equal(waitpid(w->agent, &status, 0), w->agent);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_int_equal(unlink(w->secret), 0);
}

/* Bytes of the agent's process that are in memory. */
static double resident(const world *w)
{
  char path[64], line[256];
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)w->agent);
  FILE *file = fopen(path, "r");
  if (!file) skip();
  while (kib < 0 && fgets(line, sizeof line, file)) {
    if (sscanf(line, "Rss: %ld kB", &kib) != 1) kib = -1;
  }
  fclose(file);
  assert_true(kib > 0);
  return 1024.0 * (double)kib;
}

/* *words, to be freed <- a list of this shape; returns their number. */
static size_t write_list(uint64_t id, const shape *s, uint64_t **words)
{
  const size_t nactions = (size_t)s->rounds * (size_t)(s->messages + s->local);
  const size_t n = 5 + 2 * (size_t)s->rounds + 7 * nactions;
  uint64_t *w = *words = malloc(n * sizeof *w);
  assert_non_null(w);
  const uint64_t head[] = {id, s->count, s->count, (uint64_t)s->rounds, nactions};
  memcpy(w, head, sizeof head);
  w += 5;
  for (int r = 0; r < s->rounds; r++, w += 2) {
    w[0] = (uint64_t)s->messages;
    w[1] = (uint64_t)s->local;
  }
  for (int r = 0; r < s->rounds; r++) {
    for (int k = 0; k < s->messages + s->local; k++, w += 7) {
      const bool is_message = k < s->messages;
      const uint64_t kind = is_message ? (k % 2 ? OVK__RECEIVE : OVK__SEND) : OVK__COMBINE;
      const uint64_t peer = is_message ? (uint64_t)(2 * (k / 2 % 2)) : 0;
      const uint64_t action[] = {kind, peer, s->elements, OVK_OUTPUT, 0, OVK_WORK, 0};
      memcpy(w, action, sizeof action);
    }
  }
  return n;
}

/* False: it was refused. */
static bool register_list(const world *w, uint64_t id, const shape *s)
{
  uint64_t *words;
  SCOPED(ovk__message_free) ovk__message m;
  const size_t n = write_list(id, s, &words);
  send_words(w, OVK__REGISTER, words, n);
  free(words);
  assert_ok(ovk__control_receive(test_ctx(), w->stream, PATIENCE, OVK__CONTROL_MOST, &m));
  const bool taken = m.kind == OVK__HANDSHAKES;
  assert_true(taken || m.kind == OVK__REFUSED);
  return taken;
}

static void check_growth(const char *name, double growth, uint64_t lists)
{
  print_message("%s: %llu lists, %.2f of the memory allowed\n", name, (unsigned long long)lists,
                growth / MEMORY);
  assert_true(growth <= 1.2 * MEMORY);
}

static void fill_list(const char *name, shape s)
{
  SCOPED(close_world) world w;
  uint64_t id = 0;
  open_world(&w);
  const double before = resident(&w);
  while (register_list(&w, id, &s)) id++;
  const double growth = resident(&w) - before;
  check_growth(name, growth, id);
  assert_true(growth >= 0.6 * MEMORY);
}

TEST(lists_grow_to_what_is_allowed_and_no_further)
{
  fill_list("one value", (shape){1, 0, 0, 0, 0});
  fill_list("values", (shape){20000, 0, 0, 0, 0});
  fill_list("messages", (shape){8, 4, 2, 1, 8});
  fill_list("long messages", (shape){5000, 2, 2, 1, 5000});
  fill_list("many messages", (shape){1, 1, 400, 0, 1});
  fill_list("rounds", (shape){1, 500, 0, 0, 0});
  fill_list("combinations", (shape){1, 1, 0, 3000, 1});
}

/* The few that stay are spread over all the memory that others have had. */
TEST(lists_that_come_and_go_leave_nothing)
{
  enum { TIMES = 200, LISTS = 64 };
  const shape s = {40, 2, 2, 1, 40};
  uint64_t id = 0, kept = 0;
  SCOPED(close_world) world w;
  open_world(&w);
  const double before = resident(&w);
  for (int time = 0; time < TIMES; time++) {
    uint64_t taken = 0;
    while (taken < LISTS && register_list(&w, id + taken, &s)) taken++;
    for (uint64_t k = 0; k < taken; k++, id++) {
      if (k == LISTS / 2) kept++;
      if (k != LISTS / 2) send_words(&w, OVK__UNREGISTER, &id, 1);
    }
  }
  (void)register_list(&w, id, &s); /* and now all were dropped */
  check_growth("come and go", resident(&w) - before, kept);
}

/* One that is longer than the memory is not even received. */
TEST(a_message_beyond_the_memory_is_refused)
{
  const shape s = {1, 1, 0, 300000, 1}, good = {1, 0, 0, 0, 0};
  SCOPED(close_world) world w;
  open_world(&w);
  const double before = resident(&w);
  assert_false(register_list(&w, 0, &s));
  check_growth("refused", resident(&w) - before, 0);
  assert_true(register_list(&w, 0, &good));
}
