/* SPDX-License-Identifier: BSD-2-Clause */
/* Remote agents that die under sums, or between them: all ranks get the same totals or the same
 * error. Run by test_remote_agent.sh: OVK_TEST_AGENT says where agents are, OVK_TEST_KILL is a
 * shell command that kills that of one rank. */
#include "fault_world.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/reduction.h>

enum { FLIGHT = 4 };

static const char *const ways[] = {"alg=doubling", "alg=tree,k=2", "alg=flat+tree,k=2,levels=2"};
enum { WAYS = sizeof ways / sizeof *ways };

/* The spec of a way, with the fallback when the network fails. */
static const char *spec_of(char spec[VERBS_SPEC_SIZE], int way, const char *remedy)
{
  char keys[VERBS_KEYS_SIZE];
  snprintf(keys, sizeof keys, "%s,agent=%s%s", ways[way], getenv("OVK_TEST_AGENT"), remedy);
  return verbs_spec(spec, keys);
}

static void kill_an_agent(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
  if (!test_rank) assert_int_equal(system(getenv("OVK_TEST_KILL")), 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void begin_sum(ovk_reduction *red, int number)
{
  *ovk_reduction_values(red) = test_rank + number;
  assert_int_equal(ovk_reduction_begin(red), OVK_OK);
}

/* Returns whether it has failed, as on all ranks; otherwise the total is right. */
static bool end(const world *w, ovk_reduction *red, int number)
{
  if (has_failed(w, ovk_reduction_wait(red), "")) return true;
  const int total = test_size * (test_size - 1) / 2 + test_size * number;
  assert_true(*ovk_reduction_values(red) == total);
  return false;
}

static void create_sums(const world *w, const char *spec, ovk_reduction *reds[FLIGHT])
{
  for (int k = 0; k < FLIGHT; k++) {
    if (ovk_reduction_create(w->ctx, spec, 1, &reds[k])) fail_msg("%s", ovk_ctx_error(w->ctx));
  }
  for (int k = 0; k < FLIGHT; k++) begin_sum(reds[k], k);
  for (int k = 0; k < FLIGHT; k++) assert_false(end(w, reds[k], k));
}

/* A sum that is created, and made, after the death. */
static bool another_fails(const world *w, const char *spec)
{
  scoped_reduction *red = NULL;
  bool failed = has_failed(w, ovk_reduction_create(w->ctx, spec, 1, &red), "");
  if (!failed) begin_sum(red, 0);
  if (!failed) failed = end(w, red, 0);
  return failed;
}

/* The last rank has begun half of the sums when the agent dies. Those whose totals reach a rank all
 * the same reach all of them, so with `fails` some may fail. */
static void die_in_flight(const char *spec, bool fails)
{
  SCOPED(world_close) world w;
  ovk_reduction *reds[FLIGHT];
  world_open(&w);
  create_sums(&w, spec, reds);
  for (int k = 0; k < FLIGHT; k++) {
    if (!is_last() || k < FLIGHT / 2) begin_sum(reds[k], k);
  }
  kill_an_agent();
  for (int k = FLIGHT / 2; is_last() && k < FLIGHT; k++) begin_sum(reds[k], k);
  for (int k = FLIGHT; k-- > 0;) assert_true(!end(&w, reds[k], k) || fails);
  assert_int_equal(another_fails(&w, spec), fails);
  assert_int_equal(w.notices, !fails);
  for (int k = 0; k < FLIGHT; k++) ovk_reduction_destroy(&reds[k]);
}

TEST(sums_in_flight_fail_alike)
{
  for (int k = 0; k < WAYS; k++) {
    char spec[VERBS_SPEC_SIZE];
    die_in_flight(spec_of(spec, k, ""), true);
  }
}

TEST(sums_in_flight_go_over_the_fallback)
{
  for (int k = 0; k < WAYS; k++) {
    char spec[VERBS_SPEC_SIZE];
    die_in_flight(spec_of(spec, k, ",fallback=nbc"), false);
  }
}

/* The first to notice is the rank that creates a reduction: the answer of its agent is no refusal.
 */
TEST(a_death_between_sums_shows_when_one_is_created)
{
  static const char *const remedies[] = {"", ",fallback=nbc"};
  for (int k = 0; k < 2; k++) {
    char spec[VERBS_SPEC_SIZE];
    SCOPED(world_close) world w;
    ovk_reduction *reds[FLIGHT];
    world_open(&w);
    create_sums(&w, spec_of(spec, k, remedies[k]), reds);
    kill_an_agent();
    assert_int_equal(another_fails(&w, spec), k == 0);
    for (int n = 0; n < FLIGHT; n++) {
      begin_sum(reds[n], n);
      assert_int_equal(end(&w, reds[n], n), k == 0);
      ovk_reduction_destroy(&reds[n]);
    }
  }
}
