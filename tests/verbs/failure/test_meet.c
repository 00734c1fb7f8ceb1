/* SPDX-License-Identifier: BSD-2-Clause */
/* Combinations of features: several backends in one context, one of them verbs with a failing
 * network, and begins, tests and waits in a different legal order on each rank. */
#include "fault_world.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/plugin/backend.h>

enum { USERS = 7, BACKENDS = 1 + USERS, EACH = 2, SUMS = BACKENDS * EACH, EVENTS = 120 };

static const char *const users[USERS] = {
    "nbc",  "shm",     "iallreduce", "emulate-latency:us=20|nbc", "verbs:device=emulated",
    "mine", "blocking"};
enum { BLOCKING = 1 + USERS - 1 };

/* A user's backend. */
static ovk_err mine_begin(ovk_sum *sum)
{
  MPI_Request *request = malloc(sizeof *request);
  sum->request = request;
  MPI_Iallreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM, sum->backend->comm,
                 request);
  return OVK_OK;
}

static ovk_err mine_test(ovk_sum *sum, bool *complete)
{
  int flag;
  MPI_Test(sum->request, &flag, MPI_STATUS_IGNORE);
  *complete = flag;
  if (flag) free(sum->request);
  return OVK_OK;
}

static const ovk_backend_ops mine = {.name = "mine", .begin = mine_begin, .test = mine_test};

static unsigned next_random(unsigned *state)
{
  *state = *state * 1664525u + 1013904223u; /* Numerical Recipes' */
  return *state >> 8;
}

/* A begin, or the corresponding wait. The sums of backend b have numbers from EACH b on. */
typedef struct event {
  int sum;
  bool begins;
} event;

static int backend_of(event e)
{
  return e.sum / EACH;
}

/* Draws an order that is valid for all ranks; returns the number of events. */
static int draw_events(unsigned *state, event *events)
{
  bool running[SUMS] = {false};
  int n = 0;
  while (n < EVENTS) {
    const event e = {(int)(next_random(state) % SUMS), true};
    events[n++] = (event){e.sum, !running[e.sum]};
    running[e.sum] = !running[e.sum];
    if (backend_of(e) != BLOCKING) continue;
    events[n++] = (event){e.sum, false}; /* the begin has completed it */
    running[e.sum] = false;
  }
  for (int k = 0; k < SUMS; k++) {
    if (running[k]) events[n++] = (event){k, false};
  }
  return n;
}

/* Whether a rank may do y before x when the common order has x before y. A begin may move forward,
 * a wait backward: then no wait depends on a later event of another rank. Within one backend the
 * order of begins is kept, and nothing moves past a blocking reduction. */
static bool may_swap(event x, event y)
{
  if (x.sum == y.sum || backend_of(x) == BLOCKING || backend_of(y) == BLOCKING) return false;
  if (x.begins && y.begins) return backend_of(x) != backend_of(y);
  return !x.begins;
}

static void permute(unsigned *state, event *events, int n)
{
  for (int k = 0; k < 20 * n; k++) {
    const int at = (int)(next_random(state) % (unsigned)(n - 1));
    const event x = events[at], y = events[at + 1];
    if (!may_swap(x, y)) continue;
    events[at] = y;
    events[at + 1] = x;
  }
}

/* The state of one draw. */
typedef struct scene {
  world w;
  unsigned seed, own; /* seed: common to all ranks; own: of this rank */
  ovk_reduction *sums[SUMS];
  double marks[SUMS]; /* the value last given to each sum */
} scene;

static void check(const scene *s, ovk_err err, int sum, const char *what)
{
  if (!err) return;
  fail_msg("seed %u, rank %d: %s of %s: %s: %s", s->seed, test_rank, what,
           ovk_reduction_spec(s->sums[sum]), ovk_err_name(err), ovk_ctx_error(s->w.ctx));
}

static void test_some(scene *s)
{
  for (unsigned k = next_random(&s->own) % 4; k > 0; k--) {
    const int sum = (int)(next_random(&s->own) % SUMS);
    bool complete;
    if (!ovk_reduction_running(s->sums[sum])) continue;
    check(s, ovk_reduction_test(s->sums[sum], &complete), sum, "test");
  }
}

static void execute(scene *s, event e)
{
  ovk_reduction *red = s->sums[e.sum];
  double *value = ovk_reduction_values(red);
  if (e.begins) {
    if (backend_of(e) == BLOCKING) alike(&s->w, true); /* no rank needs one that blocks */
    s->marks[e.sum] += 1 + 1000 * e.sum;
    *value = (test_rank + 1) * s->marks[e.sum];
    check(s, ovk_reduction_begin(red), e.sum, "begin");
    return;
  }
  check(s, ovk_reduction_wait(red), e.sum, "wait");
  const double total = s->marks[e.sum] * test_size * (test_size + 1) / 2;
  if (*value == total) return;
  fail_msg("seed %u, rank %d: a total of %s is %.17g, not %.17g", s->seed, test_rank,
           ovk_reduction_spec(red), *value, total);
}

static void open_scene(scene *s, unsigned seed, const char *fallback)
{
  static const char *const faults[] = {"break", "device"};
  static const char *const ways[] = {"alg=flat", "alg=doubling", "mode=atomic"};
  char keys[VERBS_KEYS_SIZE], spec[VERBS_SPEC_SIZE];
  unsigned state = seed;
  *s = (scene){.seed = seed, .own = seed + 7919u * (unsigned)(test_rank + 1)};
  world_open(&s->w);
  assert_int_equal(ovk_backend_register(s->w.ctx, &mine, NULL), OVK_OK);
  const char *way = ways[next_random(&state) % 3], *fault = faults[next_random(&state) % 2];
  const unsigned rank = next_random(&state) % (unsigned)test_size, at = next_random(&state) % 40;
  snprintf(keys, sizeof keys, "%s,fallback=%s,fault=%s,fault_rank=%u,fault_at=%u", way, fallback,
           fault, rank, at + 1);
  verbs_spec(spec, keys);
  for (int k = 0; k < SUMS; k++) {
    const char *which = k < EACH ? spec : users[k / EACH - 1];
    const ovk_err err = ovk_reduction_create(s->w.ctx, which, 1, &s->sums[k]);
    if (err) fail_msg("seed %u: %s: %s", seed, which, ovk_ctx_error(s->w.ctx));
  }
}

static void draw(unsigned seed, const char *fallback, int *recoveries)
{
  event events[2 * EVENTS + SUMS];
  scene s;
  unsigned state = seed ^ 0x5bd1e995u;
  open_scene(&s, seed, fallback);
  const int n = draw_events(&state, events);
  permute(&s.own, events, n);
  for (int k = 0; k < n; k++) {
    execute(&s, events[k]);
    test_some(&s);
  }
  *recoveries += alike(&s.w, s.w.notices > 0);
  for (int k = 0; k < SUMS; k++) ovk_reduction_destroy(&s.sums[k]);
  world_close(&s.w);
}

/* OVK_TEST_SEED repeats a single case. */
TEST(totals_are_right_in_any_legal_order)
{
  enum { DRAWS = 12 };
  static const char *const fallbacks[] = {"nbc", "iallreduce", "shm"};
  const char *wanted = getenv("OVK_TEST_SEED");
  int recoveries = 0;
  for (unsigned seed = 1; seed <= DRAWS; seed++) {
    const unsigned its = wanted ? (unsigned)strtoul(wanted, NULL, 10) : seed;
    draw(its, fallbacks[its % 3], &recoveries);
  }
  assert_true(wanted || recoveries >= DRAWS / 2); /* a failure occurred often enough */
}

static int skip_on_several_nodes(void **state)
{
  if (!on_one_node()) skip_all("shm needs one node");
  return 0;
}

TEST_GROUP(skip_on_several_nodes, NULL)
