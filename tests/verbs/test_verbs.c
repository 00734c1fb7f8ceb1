/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over a NIC in all configurations: the contract of reductions, and which ranks must make
 * progress. */
#include "support/clock.h"
#include "support/conformance.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"
#include "support/specs/verbs_ways.h"
#include "turns.h"

#include <ovkrylov/comm/reduction.h>

TEST(every_way_conforms)
{
  char spec[VERBS_SPEC_SIZE];
  for (int k = 0; k < VERBS_WAYS; k++) {
    if (!verbs_way_is_possible(&verbs_ways[k])) continue;
    conformance_check(verbs_spec(spec, verbs_ways[k].keys), NULL);
  }
  conformance_check_mixed(verbs_spec(spec, "alg=doubling"));
  conformance_check_mixed(verbs_spec(spec, "mode=atomic"));
}

TEST(thousands_of_sums_use_up_nothing)
{
  char spec[VERBS_SPEC_SIZE];
  conformance_check_thousands(verbs_spec(spec, "alg=flat"));
  conformance_check_thousands(verbs_spec(spec, "mode=atomic"));
}

/* Begins a sum of the ranks' numbers, the last rank after all others, so that these find nothing
 * from it in begin; then sleeps once all have begun. */
static ovk_reduction *begin_and_sleep(const char *spec)
{
  ovk_reduction *red = new_sum(spec, 1);
  ovk_reduction_values(red)[0] = test_rank + 1;
  if (!is_last()) assert_ok(ovk_reduction_begin(red));
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_last()) assert_ok(ovk_reduction_begin(red));
  MPI_Barrier(MPI_COMM_WORLD);
  sleep_for(0.3);
  return red;
}

static void end(ovk_reduction *red)
{
  assert_ok(ovk_reduction_wait(red));
  assert_true(ovk_reduction_values(red)[0] == test_size * (test_size + 1) / 2);
  ovk_reduction_destroy(&red);
}

TEST(flat_sums_complete_while_all_ranks_sleep)
{
  char spec[VERBS_SPEC_SIZE];
  bool complete = false;
  ovk_reduction *red = begin_and_sleep(verbs_spec(spec, "alg=flat"));
  wait_for_turn();
  assert_ok(ovk_reduction_test(red, &complete)); /* the first test */
  pass_turn_on();
  assert_true(complete);
  end(red);
}

TEST(atomic_sums_complete_by_tests_of_one_rank_alone)
{
  char spec[VERBS_SPEC_SIZE];
  bool complete = false;
  ovk_reduction *red = begin_and_sleep(verbs_spec(spec, "mode=atomic"));
  wait_for_turn();
  for (const double limit = MPI_Wtime() + 30; !complete && MPI_Wtime() < limit;) {
    assert_ok(ovk_reduction_test(red, &complete));
  }
  pass_turn_on();
  assert_true(complete);
  end(red);
}

/* Confirms that the tests above detect which ranks must make progress. */
TEST(sums_of_several_rounds_do_not_complete_while_others_sleep)
{
  char spec[VERBS_SPEC_SIZE];
  if (test_size != 4 && test_size != 8) skip();
  ovk_reduction *red = begin_and_sleep(verbs_spec(spec, "alg=doubling"));
  for (int k = 0; test_rank == 0 && k < 1000; k++) {
    bool complete;
    assert_ok(ovk_reduction_test(red, &complete));
    assert_false(complete);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  end(red);
}

TEST(long_vectors_arrive_whole)
{
  enum { COUNT = 100000 };
  char spec[VERBS_SPEC_SIZE];
  scoped_reduction *red = new_sum(verbs_spec(spec, "alg=doubling"), COUNT);
  double *values = ovk_reduction_values(red);
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < COUNT; i++) values[i] = test_rank + i + t;
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    for (int i = 0; i < COUNT; i++) {
      assert_true(values[i] == test_size * (i + t) + test_size * (test_size - 1) / 2);
    }
  }
}

/* For messages of one tag, as backends look for news of failures. */
static int probes;

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
  probes += tag != MPI_ANY_TAG;
  return PMPI_Iprobe(source, tag, comm, flag, status);
}

/* A probe takes longer than a poll, and every open backend is asked in every wait. */
TEST(open_backends_probe_rarely_while_one_waits)
{
  enum { BACKENDS = 8 };
  const double interval = 0.01;
  ovk_reduction *sums[BACKENDS];
  scoped_ctx *ctx = new_ctx();
  for (int k = 0; k < BACKENDS; k++) {
    char keys[VERBS_KEYS_SIZE], spec[VERBS_SPEC_SIZE];
    snprintf(keys, sizeof keys, "timeout_ms=%d", 100000 + k);
    assert_ok(ovk_reduction_create(ctx, verbs_spec(spec, keys), 1, &sums[k]));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  probes = 0;
  const double start = MPI_Wtime();
  if (test_rank == test_size - 1) nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  assert_ok(ovk_reduction_begin(sums[0]));
  assert_ok(ovk_reduction_wait(sums[0]));
  const double intervals = 1 + (MPI_Wtime() - start) / interval;
  assert_true(probes <= 2 * BACKENDS * intervals);
  for (int k = 0; k < BACKENDS; k++) ovk_reduction_destroy(&sums[k]);
}

TEST(wrong_keys_are_clear_errors)
{
  assert_no_verbs("mode=write,alg=octopus", OVK_ERR_ARG, "unknown alg");
  assert_no_verbs("mode=magic", OVK_ERR_UNKNOWN, "mode cannot be 'magic'; it takes: write, atomic");
  assert_no_verbs("timeout_ms=soon", OVK_ERR_ARG, "timeout_ms");
  assert_no_verbs("gid=100000", OVK_ERR_ARG, "100000");
  assert_no_verbs("gid=256", OVK_ERR_ARG, "255"); /* not taken for gid=0 */
  assert_no_verbs("port=77", OVK_ERR_ARG, "77");
  assert_no_verbs("rate=-1", OVK_ERR_ARG, "rate");
  assert_no_sum("verbs:rate=8", 1, OVK_ERR_ARG, "only device=emulated");
  assert_no_verbs("mode=atomic,alg=flat", OVK_ERR_ARG, "alg belongs to mode=write");
  assert_no_verbs("mode=atomic,levels=2x2", OVK_ERR_ARG, "levels");
  assert_no_verbs("fallback=octopus", OVK_ERR_UNKNOWN, "octopus");
  assert_no_verbs("fault=laughter", OVK_ERR_UNKNOWN, "fault");
}

TEST_GROUP(skip_without_nic, NULL)
