/* SPDX-License-Identifier: BSD-2-Clause */
/* Guarantees of collective operations besides their results: order of calls, many at once, aliased
 * buffers, NaN. */
#include "support/problem.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>

static ovk_collective *barrier(const char *spec)
{
  ovk_collective *c = NULL;
  assert_ok(ovk_collective_create_barrier(test_ctx(), spec, &c));
  assert_non_null(c);
  return c;
}

static ovk_collective *allreduce(const void *send, void *receive, int count, ovk_type type,
                                 ovk_op op)
{
  ovk_collective *c = NULL;
  assert_ok(ovk_collective_create_allreduce(test_ctx(), NULL, send, receive, count, type, op, &c));
  return c;
}

TEST(a_barrier_ends_only_when_all_have_begun_it)
{
  static const char *const specs[] = {"nbc:ways=1",
                                      "nbc:ways=2",
                                      "nbc:ways=3",
                                      "nbc:ways=4",
                                      "nbc:ways=5",
                                      "nbc:ways=6",
                                      "nbc:ways=7",
                                      "nbc:channel=shm,levels=2",
                                      "nbc:levels=2",
                                      "nbc:levels=node",
                                      "nbc:levels=2x2,ways=2,channel=p2p+shm"};
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    scoped_collective *c = barrier(specs[s]);
    for (int late = 0; late < test_size; late++) {
      bool complete = false;
      if (test_rank != late) {
        assert_ok(ovk_collective_begin(c));
        for (int k = 0; k < 50; k++) {
          assert_ok(ovk_collective_test(c, &complete));
          assert_false(complete);
        }
      }
      MPI_Barrier(MPI_COMM_WORLD);
      if (test_rank == late) assert_ok(ovk_collective_begin(c));
      assert_ok(ovk_collective_wait(c));
    }
  }
}

TEST(test_tells_completion_and_wait_ends_it)
{
  double x = test_rank, sum = 0;
  scoped_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  for (int time = 0; time < 10; time++) {
    assert_false(ovk_collective_running(c));
    assert_ok(ovk_collective_begin(c));
    assert_true(ovk_collective_running(c));
    bool complete = false;
    while (!complete) assert_ok(ovk_collective_test(c, &complete));
    assert_ok(ovk_collective_test(c, &complete)); /* and again, still complete */
    assert_true(complete && ovk_collective_running(c));
    assert_ok(ovk_collective_wait(c));
    assert_true(sum == test_size * (test_size - 1) / 2.0);
  }
}

TEST(a_hook_moves_the_operation_on)
{
  scoped_collective *c = barrier("nbc:ways=1");
  const ovk_poll poll = ovk_collective_poll(c, 0);
  assert_int_equal(poll.every, 1024);
  ovk_poll_call(poll); /* does nothing yet */
  assert_ok(ovk_collective_begin(c));
  bool complete = false;
  while (!complete) { /* progress made by the poll is seen by test */
    ovk_poll_call(poll);
    assert_ok(ovk_collective_test(c, &complete));
  }
  assert_ok(ovk_collective_wait(c));
  ovk_poll_call(poll);
  assert_false(ovk_collective_running(c));
}

TEST(misuse_is_a_state_error)
{
  ovk_collective *c = barrier(NULL);
  bool complete;
  assert_local_error(ovk_collective_wait(c), OVK_ERR_STATE, "not running");
  assert_local_error(ovk_collective_test(c, &complete), OVK_ERR_STATE, "not running");
  assert_ok(ovk_collective_begin(c));
  assert_local_error(ovk_collective_begin(c), OVK_ERR_STATE, "already running");
  assert_local_error(ovk_collective_test(c, NULL), OVK_ERR_ARG, "complete is NULL");
  assert_ok(ovk_collective_wait(c));
  assert_local_error(ovk_collective_wait(c), OVK_ERR_STATE, "not running");
  ovk_collective_destroy(&c);
  ovk_collective_destroy(&c);
  ovk_collective_destroy(NULL);
}

TEST(destroying_a_running_operation_waits_for_it)
{
  double x = 1, sum = 0;
  ovk_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_ok(ovk_collective_begin(c));
  ovk_collective_destroy(&c);
  assert_null(c);
  assert_true(sum == test_size);
}

TEST(many_are_in_flight_at_once_and_end_in_any_order)
{
  enum { N = 5, TIMES = 20 };
  ovk_ctx *ctx = test_ctx();
  double x = 0, sum = 0, before = 0, root_has = 0;
  double *all = new_memory((size_t)test_size * sizeof *all),
         *sent = new_memory((size_t)test_size * 8);
  ovk_collective *c[N] = {NULL};
  assert_ok(
      ovk_collective_create_allreduce(ctx, NULL, &x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM, &c[0]));
  assert_ok(
      ovk_collective_create_exscan(ctx, NULL, &x, &before, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM, &c[1]));
  assert_ok(ovk_collective_create_alltoall(ctx, "nbc:window=1", sent, all, 1, sizeof x, &c[2]));
  assert_ok(ovk_collective_create_barrier(ctx, NULL, &c[3]));
  assert_ok(ovk_collective_create_bcast(ctx, "nbc:channel=shm", &root_has, 1, sizeof x, 0, &c[4]));
  for (int time = 0; time < TIMES; time++) {
    x = test_rank + time;
    if (test_rank == 0) root_has = time;
    for (int k = 0; k < test_size; k++) sent[k] = time * 100 + test_rank * 10 + k;
    for (int k = 0; k < N; k++) assert_ok(ovk_collective_begin(c[(k + time) % N]));
    for (int k = 0; k < N; k++) assert_ok(ovk_collective_wait(c[(test_rank + N - k) % N]));
    assert_true(sum == test_size * time + test_size * (test_size - 1) / 2);
    if (test_rank) assert_true(before == test_rank * time + test_rank * (test_rank - 1) / 2);
    for (int k = 0; k < test_size; k++) assert_true(all[k] == time * 100 + k * 10 + test_rank);
    assert_true(root_has == time);
  }
  for (int k = 0; k < N; k++) ovk_collective_destroy(&c[k]);
  free(all);
  free(sent);
}

TEST(a_rank_may_wait_for_a_sum_first_and_another_for_an_operation)
{
  scoped_reduction *red = new_sum("nbc:alg=doubling", 1);
  double x = 1, sum = 0;
  scoped_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  for (int time = 0; time < 20; time++) {
    const bool sum_first = (test_rank + time) % 2;
    *ovk_reduction_values(red) = 2;
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_collective_begin(c));
    if (sum_first) assert_ok(ovk_reduction_wait(red));
    assert_ok(ovk_collective_wait(c));
    if (!sum_first) assert_ok(ovk_reduction_wait(red));
    assert_true(sum == test_size && *ovk_reduction_values(red) == 2 * test_size);
  }
}

TEST(results_may_replace_what_is_sent_where_the_header_says_so)
{
  const double total = test_size * (test_size + 1) / 2.0;
  double x = test_rank + 1;
  run_collective(allreduce, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_true(x == total);
  x = test_rank + 1;
  run_collective(reduce, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM, test_size - 1);
  assert_true(x == (is_last() ? total : test_rank + 1));
  x = test_rank + 1;
  run_collective(scan, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_true(x == (test_rank + 1) * (test_rank + 2) / 2.0);
  x = test_rank + 1;
  run_collective(exscan, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_true(x == (test_rank ? test_rank * (test_rank + 1) / 2.0 : 1));
  int *all = new_memory((size_t)test_size * sizeof *all), *own = all + test_rank;
  static const char *const specs[] = {"nbc", "nbc:alg=ring"};
  for (int s = 0; s < 2; s++) {
    *own = test_rank;
    run_collective(allgather, specs[s], own, all, 1, sizeof *all);
    for (int k = 0; k < test_size; k++) assert_int_equal(all[k], k);
  }
  free(all);
}

TEST(one_nan_makes_a_nan_on_all_ranks)
{
  for (ovk_op op = OVK_OP_SUM; op <= OVK_OP_MIN; op++) {
    for (int who = 0; who < test_size; who++) {
      double x[2] = {test_rank == who ? (double)NAN : test_rank, -test_rank}, result[2];
      scoped_collective *c = allreduce(x, result, 2, OVK_TYPE_DOUBLE, op);
      assert_ok(ovk_collective_run(c));
      assert_true(isnan(result[0]) && !isnan(result[1]));
    }
  }
}

TEST(integers_at_the_ends_of_their_type_are_exact)
{
  const int64_t x[3] = {is_last() ? INT64_MAX : INT64_MIN, test_rank ? 0 : INT64_MAX - test_size,
                        INT64_MIN + test_rank};
  int64_t result[3];
  scoped_collective *c = allreduce(x, result, 3, OVK_TYPE_INT64, OVK_OP_MAX);
  assert_ok(ovk_collective_run(c));
  assert_true(result[0] == INT64_MAX && result[2] == INT64_MIN + test_size - 1);
  ovk_collective_destroy(&c);
  c = allreduce(x, result, 3, OVK_TYPE_INT64, OVK_OP_MIN);
  assert_ok(ovk_collective_run(c));
  assert_true(result[0] == (test_size > 1 ? INT64_MIN : INT64_MAX) && result[2] == INT64_MIN);
  ovk_collective_destroy(&c);
  c = allreduce(x, result, 3, OVK_TYPE_INT64, OVK_OP_SUM);
  assert_ok(ovk_collective_run(c));
  assert_true(result[1] == INT64_MAX - test_size);
}

/* Numbers for which different orders of summation give different bits. */
TEST(allreduces_give_the_same_bits_on_all_ranks)
{
  static const char *const specs[] = {"nbc", "nbc:alg=kary,k=3", "nbc:alg=tree", "nbc:alg=ring",
                                      "nbc:levels=2,alg=tree+flat,channel=shm+p2p"};
  enum { N = 37 };
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    double x[N], first[N];
    for (int i = 0; i < N; i++)
      x[i] = sin(1 + i + N * test_rank) * pow(10, (i * 7 + test_rank) % 9);
    scoped_collective *c = NULL;
    assert_ok(ovk_collective_create_allreduce(test_ctx(), specs[s], x, x, N, OVK_TYPE_DOUBLE,
                                              OVK_OP_SUM, &c));
    assert_ok(ovk_collective_run(c));
    memcpy(first, x, sizeof x);
    MPI_Bcast(first, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    assert_memory_equal(first, x, sizeof x);
  }
}

/* More than most MPIs have communicators. */
TEST(thousands_can_be_made_one_after_the_other)
{
  enum { N = 2500 };
  double x = 1, sum = 0;
  const int n = test_size > 2 ? N / 50 : N; /* more ranks than cores are slow */
  for (int k = 0; k < n; k++) {
    scoped_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
    if (k % 100 == 0) assert_ok(ovk_collective_run(c));
  }
  assert_true(sum == test_size);
}
