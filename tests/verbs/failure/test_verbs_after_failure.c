/* SPDX-License-Identifier: BSD-2-Clause */
/* After a failure of the network: the reports to users, and the operations that still work. */
#include "fault_world.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/reduction.h>

/* A configuration of verbs whose NIC fails on the last rank at its third work. */
static const char *failing(char spec[VERBS_SPEC_SIZE], const char *keys)
{
  char all[VERBS_KEYS_SIZE];
  snprintf(all, sizeof all, "%s,fault=device,fault_rank=%d,fault_at=3", keys, test_size - 1);
  return verbs_spec(spec, all);
}

static ovk_reduction *create_sum(const world *w, const char *spec, int count)
{
  ovk_reduction *red = NULL;
  const ovk_err err = ovk_reduction_create(w->ctx, spec, count, &red);
  if (err) fail_msg("%s: %s", spec, ovk_ctx_error(w->ctx));
  return red;
}

/* Repeats a sum until it fails, at most twenty times. */
static ovk_err sum_up(ovk_reduction *red)
{
  ovk_err err = OVK_OK;
  for (int k = 0; k < 20 && !err; k++) {
    ovk_reduction_values(red)[0] = test_rank + k;
    assert_int_equal(ovk_reduction_begin(red), OVK_OK);
    err = ovk_reduction_wait(red);
    const int total = test_size * (test_size - 1) / 2 + k * test_size;
    if (!err) assert_true(ovk_reduction_values(red)[0] == total);
  }
  return err;
}

static ovk_err solve(const world *w, const char *backend)
{
  const int n[3] = {3, 3, 3}, grid[3] = {1, 1, test_size};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  scoped_mat *A = NULL;
  opts.backend = backend;
  assert_int_equal(ovk_gallery_laplace27(w->ctx, n, grid, NULL, &A), OVK_OK);
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  assert_int_equal(ovk_vec_fill(b, 1), OVK_OK);
  return ovk_pcg_solve(A, NULL, b, x, &opts, NULL);
}

TEST(new_sums_and_solves_go_over_the_fallback)
{
  static const char *const keys[] = {"alg=flat,fallback=nbc", "mode=atomic,fallback=iallreduce"};
  for (int k = 0; k < 2; k++) {
    char spec[VERBS_SPEC_SIZE];
    world w;
    world_open(&w);
    failing(spec, keys[k]);
    ovk_reduction *old = create_sum(&w, spec, 1);
    assert_int_equal(sum_up(old), OVK_OK);
    ovk_reduction *new = create_sum(&w, spec, 1);
    assert_int_equal(sum_up(new), OVK_OK);
    assert_int_equal(sum_up(old), OVK_OK);
    assert_int_equal(solve(&w, spec), OVK_OK);
    ovk_reduction_destroy(&new);
    ovk_reduction_destroy(&old);
    world_close(&w);
    assert_int_equal(w.notices, 1);
    assert_non_null(strstr(w.notice, strstr(keys[k], "iall") ? "'iallreduce'" : "'nbc'"));
    assert_non_null(strstr(w.notice, "rank"));
  }
}

TEST(without_one_they_are_a_clear_error)
{
  char spec[VERBS_SPEC_SIZE];
  ovk_reduction *new = NULL;
  world w;
  world_open(&w);
  ovk_reduction *old = create_sum(&w, failing(spec, "alg=flat"), 1);
  assert_true(has_failed(&w, sum_up(old), "rank"));
  assert_int_equal(ovk_reduction_begin(old), OVK_ERR_STATE);
  assert_true(has_failed(&w, ovk_reduction_create(w.ctx, spec, 1, &new), "rank"));
  assert_true(has_failed(&w, solve(&w, spec), "rank"));
  assert_null(new);
  ovk_reduction *over_mpi = create_sum(&w, "nbc", 1);
  assert_int_equal(sum_up(over_mpi), OVK_OK);
  ovk_reduction_destroy(&over_mpi);
  ovk_reduction_destroy(&old);
  world_close(&w);
  assert_int_equal(w.notices, 0);
}

/* The third work of the last rank goes to rank 0 or 1. */
TEST(messages_name_the_failure_and_the_ranks)
{
  char spec[VERBS_SPEC_SIZE], keys[VERBS_KEYS_SIZE], words[VERBS_KEYS_SIZE];
  const int last = test_size - 1;
  SCOPED(world_close) world w;
  world_open(&w);
  scoped_reduction *red = create_sum(&w, failing(spec, "alg=flat"), 1);
  snprintf(words, sizeof words, "the NIC of rank %d has failed", last);
  assert_true(has_failed(&w, sum_up(red), words));
  ovk_reduction_destroy(&red);
  snprintf(keys, sizeof keys, "alg=flat,fault=break,fault_at=1,fault_rank=%d", last);
  red = create_sum(&w, verbs_spec(spec, keys), 1);
  snprintf(words, sizeof words, "the connection of ranks 0 and %d is broken", last);
  assert_true(has_failed(&w, sum_up(red), words));
}

/* The recovery continues while ranks agree on another error. */
TEST(another_error_keeps_its_own_message)
{
  enum { N = 5 };
  char spec[VERBS_SPEC_SIZE];
  ovk_reduction *reds[N], *wrong = NULL;
  SCOPED(world_close) world w;
  world_open(&w);
  failing(spec, "alg=flat,fallback=nbc");
  for (int k = 0; k < N; k++) reds[k] = create_sum(&w, spec, 1);
  for (int k = 0; k < N; k++) assert_int_equal(ovk_reduction_begin(reds[k]), OVK_OK);
  assert_int_equal(ovk_reduction_create(w.ctx, "octopus", 1, &wrong), OVK_ERR_UNKNOWN);
  assert_non_null(strstr(ovk_ctx_error(w.ctx), "octopus"));
  for (int k = 0; k < N; k++) ovk_reduction_destroy(&reds[k]);
}

/* More sums than fit into a message that MPI sends eagerly. */
TEST(many_sums_and_long_ones_recover)
{
  enum { N = 300, LONG = 20000 };
  char keys[VERBS_KEYS_SIZE], spec[VERBS_SPEC_SIZE];
  static ovk_reduction *reds[N];
  world w;
  world_open(&w);
  snprintf(keys, sizeof keys, "alg=flat,fallback=nbc,fault=break,fault_rank=0,fault_at=%d",
           3 * N * (test_size - 1) / 2);
  verbs_spec(spec, keys);
  for (int k = 0; k < N; k++) reds[k] = create_sum(&w, spec, k % 100 ? 1 : LONG);
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < N; k++) {
      ovk_reduction_values(reds[k])[0] = k;
      assert_int_equal(ovk_reduction_begin(reds[k]), OVK_OK);
    }
    for (int k = 0; k < N; k++) {
      assert_int_equal(ovk_reduction_wait(reds[k]), OVK_OK);
      assert_true(ovk_reduction_values(reds[k])[0] == k * test_size);
    }
  }
  for (int k = 0; k < N; k++) ovk_reduction_destroy(&reds[k]);
  world_close(&w);
  assert_int_equal(w.notices, 1);
}

/* Whether this rank's sums use the fallback; tests the sum once more. */
static bool has_recovered(const world *w, ovk_reduction *red)
{
  bool complete;
  assert_int_equal(ovk_reduction_test(red, &complete), OVK_OK);
  return w->notices > 0;
}

/* Rank 0 begins the user's sum before recovery begins the repeated one, the others after that. */
TEST(the_fallback_is_not_shared_with_the_users_own_sums)
{
  static const char *const specs[] = {"iallreduce", "nbc", "shm"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    char spec[VERBS_SPEC_SIZE], keys[VERBS_KEYS_SIZE];
    SCOPED(world_close) world w;
    snprintf(keys, sizeof keys, "alg=flat,fallback=%s,fault=break,fault_rank=0,fault_at=1",
             specs[k]);
    world_open(&w);
    scoped_reduction *red = create_sum(&w, verbs_spec(spec, keys), 1),
                     *own = create_sum(&w, specs[k], 1);
    ovk_reduction_values(red)[0] = 1;
    ovk_reduction_values(own)[0] = 1000;
    assert_int_equal(ovk_reduction_begin(red), OVK_OK);
    if (test_rank == 0) assert_int_equal(ovk_reduction_begin(own), OVK_OK);
    while (!has_recovered(&w, red)) continue;
    if (test_rank > 0) assert_int_equal(ovk_reduction_begin(own), OVK_OK);
    assert_int_equal(ovk_reduction_wait(red), OVK_OK);
    assert_int_equal(ovk_reduction_wait(own), OVK_OK);
    assert_true(ovk_reduction_values(red)[0] == test_size);
    assert_true(ovk_reduction_values(own)[0] == 1000 * test_size);
  }
}

TEST_GROUP(skip_without_nic, NULL)
