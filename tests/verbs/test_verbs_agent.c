/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums that an agent carries out: they complete while no rank calls the library, in the same bits
 * as without an agent. OVK_TEST_AGENT in the environment: where a remote agent is, with 8 MiB for a
 * rank's sums. */
#include "support/clock.h"
#include "support/conformance.h"
#include "support/problem.h"
#include "support/specs/verbs_ways.h"
#include "turns.h"

#include <ovkrylov/comm/reduction.h>
#include <time.h>

static const struct {
  const char *keys, *alike; /* the schedule, in specs of verbs and of nbc */
} ways[] = {
    {"alg=flat", "nbc:alg=flat"},
    {"alg=doubling", "nbc:alg=doubling"},
    {"alg=kary,k=3", "nbc:alg=kary,k=3"},
    {"alg=tree,k=2", "nbc:alg=tree,k=2"},
    {"alg=tree,k=4", "nbc:alg=tree,k=4"},
    {"alg=ring", "nbc:alg=ring"},
    {"alg=doubling,levels=2", "nbc:alg=doubling,levels=2"},
    {"alg=flat+tree,reduce=3,bcast=4,levels=2", "nbc:alg=flat+tree,reduce=3,bcast=4,levels=2"},
    {"alg=flat+doubling,levels=node", "nbc:alg=flat+doubling,levels=node"}};
enum { WAYS = sizeof ways / sizeof *ways };

static const char *agent_spec(char spec[VERBS_SPEC_SIZE], const char *keys)
{
  char all[VERBS_KEYS_SIZE];
  const char *agent = getenv("OVK_TEST_AGENT");
  snprintf(all, sizeof all, "%s,agent=%s", keys, agent ? agent : "thread");
  return verbs_spec(spec, all);
}

/* Tests a sum until it is complete, sleeping in between. */
static bool completes(ovk_reduction *red, int tries)
{
  bool complete = false;
  for (int k = 0; k < tries && !complete; k++) {
    assert_ok(ovk_reduction_test(red, &complete));
    if (!complete) sleep_for(1e-3);
  }
  return complete;
}

static void check_total(ovk_reduction *red)
{
  assert_true(ovk_reduction_values(red)[0] == 0.5 * test_size * (test_size + 1));
}

/* Ranks begin one after the other: the messages that have arrived at each until then are the same
 * each time. */
static void begin_in_turn(ovk_reduction *red)
{
  ovk_reduction_values(red)[0] = test_rank + 1;
  for (int rank = 0; rank < test_size; rank++) {
    if (test_rank == rank) assert_ok(ovk_reduction_begin(red));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* Ranks look one after the other, while the others are blocked outside the library. */
static void complete_without_calls(const char *spec)
{
  scoped_reduction *red = new_sum(spec, 1);
  for (int t = 0; t < 3; t++) {
    begin_in_turn(red);
    wait_for_turn();
    assert_true(completes(red, 30000));
    pass_turn_on();
    MPI_Barrier(MPI_COMM_WORLD);
    assert_ok(ovk_reduction_wait(red));
    check_total(red);
  }
}

TEST(sums_complete_while_no_rank_calls_the_library)
{
  for (int k = 0; k < WAYS; k++) {
    char spec[VERBS_SPEC_SIZE];
    complete_without_calls(agent_spec(spec, ways[k].keys));
  }
}

/* Whether ranks 1 and 0 complete a reduction if only these two look, one after the other. If there
 * are several rounds, one of the two needs a message by way of a rank that does not look. */
static bool two_complete(ovk_reduction *red)
{
  int complete = 1;
  for (int rank = 1; rank >= 0; rank--) {
    if (test_rank == rank) complete = completes(red, 10);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Allreduce(MPI_IN_PLACE, &complete, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return complete;
}

/* Confirms that the test above detects who progresses reductions: all except alg=flat have several
 * rounds, and so has levels=node if there are several nodes. */
TEST(without_an_agent_they_do_not)
{
  if (test_size < 4) skip();
  for (int k = 0; k < WAYS - 1; k++) {
    char spec[VERBS_SPEC_SIZE], keys[VERBS_KEYS_SIZE];
    snprintf(keys, sizeof keys, "%s,channel=verbs", ways[k].keys);
    scoped_reduction *red = new_sum(verbs_spec(spec, keys), 1);
    begin_in_turn(red);
    assert_int_equal(two_complete(red), k == 0);
    assert_ok(ovk_reduction_wait(red));
    check_total(red);
  }
}

enum { FLIGHT = 4, COUNT = 5 };

static void make_sums(const char *spec, ovk_reduction *reds[FLIGHT])
{
  for (int k = 0; k < FLIGHT; k++) {
    assert_ok(ovk_reduction_create(test_ctx(), spec, COUNT, &reds[k]));
  }
}

static void begin_sum(ovk_reduction *red, int seed)
{
  double *values = ovk_reduction_values(red);
  for (int i = 0; i < COUNT; i++) {
    values[i] = random_number((uint64_t)test_rank, (uint64_t)seed * COUNT + (uint64_t)i);
  }
  assert_ok(ovk_reduction_begin(red));
}

/* `times` sums, FLIGHT of them in flight; a part of them is made over the other spec as well. */
static void compare(const char *spec, const char *alike, int times)
{
  enum { EVERY = 7 };
  ovk_reduction *reds[FLIGHT];
  make_sums(spec, reds);
  scoped_reduction *other = new_sum(alike, COUNT);
  for (int t = 0; t < times + FLIGHT; t++) {
    ovk_reduction *red = reds[t % FLIGHT];
    if (t >= FLIGHT) assert_ok(ovk_reduction_wait(red));
    if (t >= FLIGHT && t % EVERY == 0) {
      begin_sum(other, t - FLIGHT);
      assert_ok(ovk_reduction_wait(other));
      assert_memory_equal(ovk_reduction_values(red), ovk_reduction_values(other),
                          COUNT * sizeof(double));
    }
    if (t < times) begin_sum(red, t);
  }
  for (int k = 0; k < FLIGHT; k++) ovk_reduction_destroy(&reds[k]);
}

TEST(many_sums_in_flight_have_the_bits_of_nbc)
{
  const char *sums = getenv("OVK_TEST_SUMS");
  const int times = sums ? atoi(sums) / WAYS : 200 / test_size;
  for (int k = 0; k < WAYS; k++) {
    char spec[VERBS_SPEC_SIZE];
    compare(agent_spec(spec, ways[k].keys), ways[k].alike, times);
  }
}

/* A remote agent has no memory of the ranks. */
TEST(agents_may_share_memory_inside_a_node)
{
  static const char *const keys[] = {"alg=flat+doubling,levels=2,channel=shm+verbs",
                                     "alg=tree+kary,k=3,levels=2,channel=shm+verbs"};
  char spec[VERBS_SPEC_SIZE];
  if (getenv("OVK_TEST_AGENT")) skip();
  for (int k = 0; k < 2; k++) complete_without_calls(agent_spec(spec, keys[k]));
  compare(agent_spec(spec, keys[0]), "nbc:alg=flat+doubling,levels=2", 40);
  compare(agent_spec(spec, keys[1]), "nbc:alg=tree+kary,k=3,levels=2", 40);
}

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One with nothing to do, and one that waits for a late rank. */
TEST(an_agent_that_waits_takes_no_processor)
{
  char spec[VERBS_SPEC_SIZE];
  scoped_reduction *red = new_sum(agent_spec(spec, "alg=doubling"), 1);
  ovk_reduction_values(red)[0] = test_rank + 1;
  sleep_for(0.01);
  const double before = processor_seconds();
  sleep_for(0.2);
  if (test_rank) assert_ok(ovk_reduction_begin(red));
  sleep_for(0.2);
  assert_true(processor_seconds() - before < 0.1);
  if (!test_rank) assert_ok(ovk_reduction_begin(red));
  assert_ok(ovk_reduction_wait(red));
  check_total(red);
}

TEST(agents_keep_the_contract_of_sums)
{
  char spec[VERBS_SPEC_SIZE];
  if (test_size > 2) skip(); /* nothing new */
  conformance_check(agent_spec(spec, "alg=doubling"), NULL);
  conformance_check_mixed(agent_spec(spec, "alg=tree,k=2"));
}

TEST(what_an_agent_cannot_do_is_refused)
{
  assert_no_verbs("agent=butler", OVK_ERR_ARG,
                  "agent is none, thread, HOST:PORT or a file, with a '/', not 'butler'");
  assert_no_verbs("agent=thread,mode=atomic", OVK_ERR_ARG, "agent belongs to mode=write");
  assert_no_verbs("agent=thread,channel=p2p", OVK_ERR_UNSUPPORTED, "not channel=p2p at level 0");
  assert_no_verbs("agent=thread,levels=2,channel=verbs+shm", OVK_ERR_UNSUPPORTED,
                  "channel=shm at level 1");
}

/* And does not touch the sums that the agent has. */
TEST(a_sum_beyond_a_remote_agents_memory_is_refused)
{
  enum { TOO_MANY = 300000 };
  char spec[VERBS_SPEC_SIZE];
  if (!getenv("OVK_TEST_AGENT")) skip();
  agent_spec(spec, "alg=doubling");
  scoped_reduction *red = new_sum(spec, 1);
  assert_no_sum(spec, TOO_MANY, OVK_ERR_UNSUPPORTED, "the limit is 8388608 bytes");
  begin_in_turn(red);
  assert_ok(ovk_reduction_wait(red));
  check_total(red);
}

TEST_GROUP(skip_without_nic, NULL)
