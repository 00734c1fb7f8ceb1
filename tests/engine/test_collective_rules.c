/* SPDX-License-Identifier: BSD-2-Clause */
/* Guarantees of collective operations besides their results: order of calls, many at once, aliased
 * buffers, NaN, and the same errors on all ranks. */
#include "support/test_main.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_last(void)
{
  return test_rank == test_size - 1;
}

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

static void carry_out(ovk_collective *c)
{
  assert_ok(ovk_collective_begin(c));
  assert_ok(ovk_collective_wait(c));
}

static void a_barrier_ends_only_when_all_have_begun_it(void **state)
{
  (void)state;
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
    ovk_collective *c = barrier(specs[s]);
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
    ovk_collective_destroy(&c);
  }
}

static void test_tells_completion_and_wait_ends_it(void **state)
{
  (void)state;
  double x = test_rank, sum = 0;
  ovk_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
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
  ovk_collective_destroy(&c);
}

static void a_hook_moves_the_operation_on(void **state)
{
  (void)state;
  ovk_collective *c = barrier("nbc:ways=1");
  const ovk_poll poll = ovk_collective_poll(c, 0);
  assert_int_equal(poll.every, 1);
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
  ovk_collective_destroy(&c);
}

static void misuse_is_a_state_error(void **state)
{
  (void)state;
  ovk_collective *c = barrier(NULL);
  bool complete;
  assert_local_error(ovk_collective_wait(c), OVK_ERR_STATE, "not running");
  assert_local_error(ovk_collective_test(c, &complete), OVK_ERR_STATE, "not running");
  assert_ok(ovk_collective_begin(c));
  assert_local_error(ovk_collective_begin(c), OVK_ERR_STATE, "running already");
  assert_local_error(ovk_collective_test(c, NULL), OVK_ERR_ARG, "complete is NULL");
  assert_ok(ovk_collective_wait(c));
  assert_local_error(ovk_collective_wait(c), OVK_ERR_STATE, "not running");
  ovk_collective_destroy(&c);
  ovk_collective_destroy(&c);
  ovk_collective_destroy(NULL);
  assert_int_equal(ovk_collective_begin(NULL), OVK_ERR_ARG);
  assert_int_equal(ovk_collective_test(NULL, &complete), OVK_ERR_ARG);
  assert_int_equal(ovk_collective_wait(NULL), OVK_ERR_ARG);
  assert_false(ovk_collective_running(NULL));
}

static void destroying_a_running_operation_waits_for_it(void **state)
{
  (void)state;
  double x = 1, sum = 0;
  ovk_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_ok(ovk_collective_begin(c));
  ovk_collective_destroy(&c);
  assert_null(c);
  assert_true(sum == test_size);
}

static void many_are_in_flight_at_once_and_end_in_any_order(void **state)
{
  (void)state;
  enum { N = 5, TIMES = 20 };
  ovk_ctx *ctx = test_ctx();
  double x = 0, sum = 0, before = 0, root_has = 0;
  double *all = malloc((size_t)test_size * sizeof *all), *sent = malloc((size_t)test_size * 8);
  assert_true(all && sent);
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

static void a_rank_may_wait_for_a_sum_first_and_another_for_an_operation(void **state)
{
  (void)state;
  ovk_reduction *red = NULL;
  assert_ok(ovk_reduction_create(test_ctx(), "nbc:alg=doubling", 1, &red));
  double x = 1, sum = 0;
  ovk_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
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
  ovk_collective_destroy(&c);
  ovk_reduction_destroy(&red);
}

static void results_may_replace_what_is_sent_where_the_header_says_so(void **state)
{
  (void)state;
  ovk_ctx *ctx = test_ctx();
  ovk_collective *c = NULL;
  const double total = test_size * (test_size + 1) / 2.0;
  double x = test_rank + 1;
  assert_ok(ovk_collective_create_allreduce(ctx, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM, &c));
  carry_out(c);
  ovk_collective_destroy(&c);
  assert_true(x == total);
  x = test_rank + 1;
  assert_ok(ovk_collective_create_reduce(ctx, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM,
                                         test_size - 1, &c));
  carry_out(c);
  ovk_collective_destroy(&c);
  assert_true(x == (is_last() ? total : test_rank + 1));
  x = test_rank + 1;
  assert_ok(ovk_collective_create_scan(ctx, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM, &c));
  carry_out(c);
  ovk_collective_destroy(&c);
  assert_true(x == (test_rank + 1) * (test_rank + 2) / 2.0);
  x = test_rank + 1;
  assert_ok(ovk_collective_create_exscan(ctx, NULL, &x, &x, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM, &c));
  carry_out(c);
  ovk_collective_destroy(&c);
  assert_true(x == (test_rank ? test_rank * (test_rank + 1) / 2.0 : 1));
  int *all = malloc((size_t)test_size * sizeof *all), *own = all + test_rank;
  assert_non_null(all);
  static const char *const specs[] = {"nbc", "nbc:alg=ring"};
  for (int s = 0; s < 2; s++) {
    *own = test_rank;
    assert_ok(ovk_collective_create_allgather(ctx, specs[s], own, all, 1, sizeof *all, &c));
    carry_out(c);
    ovk_collective_destroy(&c);
    for (int k = 0; k < test_size; k++) assert_int_equal(all[k], k);
  }
  free(all);
}

static void one_nan_makes_a_nan_on_all_ranks(void **state)
{
  (void)state;
  for (ovk_op op = OVK_OP_SUM; op <= OVK_OP_MIN; op++) {
    for (int who = 0; who < test_size; who++) {
      double x[2] = {test_rank == who ? (double)NAN : test_rank, -test_rank}, result[2];
      ovk_collective *c = allreduce(x, result, 2, OVK_TYPE_DOUBLE, op);
      carry_out(c);
      assert_true(isnan(result[0]) && !isnan(result[1]));
      ovk_collective_destroy(&c);
    }
  }
}

static void integers_at_the_ends_of_their_type_are_exact(void **state)
{
  (void)state;
  const int64_t x[3] = {is_last() ? INT64_MAX : INT64_MIN, test_rank ? 0 : INT64_MAX - test_size,
                        INT64_MIN + test_rank};
  int64_t result[3];
  ovk_collective *c = allreduce(x, result, 3, OVK_TYPE_INT64, OVK_OP_MAX);
  carry_out(c);
  assert_true(result[0] == INT64_MAX && result[2] == INT64_MIN + test_size - 1);
  ovk_collective_destroy(&c);
  c = allreduce(x, result, 3, OVK_TYPE_INT64, OVK_OP_MIN);
  carry_out(c);
  assert_true(result[0] == (test_size > 1 ? INT64_MIN : INT64_MAX) && result[2] == INT64_MIN);
  ovk_collective_destroy(&c);
  c = allreduce(x, result, 3, OVK_TYPE_INT64, OVK_OP_SUM);
  carry_out(c);
  assert_true(result[1] == INT64_MAX - test_size);
  ovk_collective_destroy(&c);
}

/* Numbers for which different orders of summation give different bits. */
static void allreduces_give_the_same_bits_on_all_ranks(void **state)
{
  (void)state;
  static const char *const specs[] = {"nbc", "nbc:alg=kary,k=3", "nbc:alg=tree", "nbc:alg=ring",
                                      "nbc:levels=2,alg=tree+flat,channel=shm+p2p"};
  enum { N = 37 };
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    double x[N], first[N];
    for (int i = 0; i < N; i++)
      x[i] = sin(1 + i + N * test_rank) * pow(10, (i * 7 + test_rank) % 9);
    ovk_collective *c = NULL;
    assert_ok(ovk_collective_create_allreduce(test_ctx(), specs[s], x, x, N, OVK_TYPE_DOUBLE,
                                              OVK_OP_SUM, &c));
    carry_out(c);
    memcpy(first, x, sizeof x);
    MPI_Bcast(first, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    assert_memory_equal(first, x, sizeof x);
    ovk_collective_destroy(&c);
  }
}

/* Arguments for the erroneous calls below. */
static double data[64];
static ovk_collective *none;

static void bad_specs_are_errors_on_all_ranks(void **state)
{
  (void)state;
  ovk_ctx *ctx = test_ctx();
  assert_error(ovk_collective_create_barrier(ctx, "nbd", &none), OVK_ERR_UNKNOWN,
               "did you mean 'nbc'");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:way=2", &none), OVK_ERR_UNKNOWN, "'ways'");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:ways=8", &none), OVK_ERR_ARG, "1 to 7");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:levels=1", &none), OVK_ERR_ARG, "levels");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:channel=smh", &none), OVK_ERR_ARG, "'shm'");
  assert_error(ovk_collective_create_barrier(ctx, "nbc:", &none), OVK_ERR_ARG, "");
  assert_error(ovk_collective_create_barrier(ctx, "nbc|nbc", &none), OVK_ERR_ARG, "decorate");
  assert_error(ovk_collective_create_bcast(ctx, "nbc:alg=ring", data, 1, 8, 0, &none), OVK_ERR_ARG,
               "ring");
  assert_error(ovk_collective_create_scan(ctx, "nbc:alg=tree", data, data, 1, OVK_TYPE_DOUBLE,
                                          OVK_OP_SUM, &none),
               OVK_ERR_UNKNOWN, "'alg'");
  assert_error(ovk_collective_create_alltoall(ctx, "nbc:window=0", data, data + 32, 1, 8, &none),
               OVK_ERR_ARG, "window");
  assert_error(ovk_collective_create_allgather(ctx, "nbc:alg=tree", data, data, 1, 8, &none),
               OVK_ERR_ARG, "flat or ring");
  assert_error(
      ovk_collective_create_allgather(ctx, "nbc:alg=ring,window=2", data, data, 1, 8, &none),
      OVK_ERR_ARG, "belongs to alg=flat");
  assert_null(none);
}

/* Arguments that are invalid on one rank only. */
static void bad_arguments_on_one_rank_are_errors_on_all(void **state)
{
  (void)state;
  ovk_ctx *ctx = test_ctx();
  const bool here = is_last();
  int *counts = malloc((size_t)test_size * sizeof *counts);
  int64_t *offsets = malloc((size_t)test_size * sizeof *offsets);
  assert_true(counts && offsets);
  for (int k = 0; k < test_size; k++) counts[k] = 1, offsets[k] = k;
  assert_error(ovk_collective_create_barrier(ctx, NULL, here ? NULL : &none), OVK_ERR_ARG,
               "out is NULL");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, here ? -3 : 1, 8, 0, &none),
               OVK_ERR_ARG, "-3 items");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, here ? 0 : 8, 0, &none), OVK_ERR_ARG,
               "0 bytes");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, 8, here ? test_size : 0, &none),
               OVK_ERR_ARG, "the root is rank");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, 8, here ? -1 : 0, &none),
               OVK_ERR_ARG, "the root is rank -1");
  assert_error(ovk_collective_create_bcast(ctx, NULL, here ? NULL : data, 1, 8, 0, &none),
               OVK_ERR_ARG, "is NULL");
  assert_error(ovk_collective_create_scan(ctx, NULL, here ? NULL : data, data, 1, OVK_TYPE_DOUBLE,
                                          OVK_OP_SUM, &none),
               OVK_ERR_ARG, "the buffer to send is NULL");
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1,
                                          here ? (ovk_type)70 : OVK_TYPE_DOUBLE, OVK_OP_SUM, &none),
               OVK_ERR_ARG, "of type 70");
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                          here ? (ovk_op)90 : OVK_OP_SUM, &none),
               OVK_ERR_ARG, "no operation 90");
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                          here ? OVK_OP_BAND : OVK_OP_SUM, &none),
               OVK_ERR_ARG, "of type 0");
  assert_error(
      ovk_collective_create_alltoall(ctx, NULL, data, here ? data : data + 32, 1, 8, &none),
      OVK_ERR_ARG, "are the same");
  assert_error(
      ovk_collective_create_allgatherv(ctx, NULL, data, data, here ? NULL : counts, NULL, 8, &none),
      OVK_ERR_ARG, "NULL");
  if (here) counts[0] = -1;
  assert_error(ovk_collective_create_allgatherv(ctx, NULL, data, data, counts, NULL, 8, &none),
               OVK_ERR_ARG, "rank 0 is -1");
  counts[0] = 1;
  if (here) offsets[0] = -1;
  assert_error(ovk_collective_create_allgatherv(ctx, NULL, data, data, counts, offsets, 8, &none),
               OVK_ERR_ARG, "offset -1");
  if (here) offsets[0] = INT64_MAX;
  assert_error(ovk_collective_create_allgatherv(ctx, NULL, data, data, counts, offsets, 8, &none),
               OVK_ERR_ARG, "too far");
  assert_error(
      ovk_collective_create_gather(ctx, NULL, data, here ? NULL : data, 1, 8, test_size - 1, &none),
      OVK_ERR_ARG, "the buffer to receive is NULL");
  assert_null(none);
  assert_int_equal(ovk_collective_create_barrier(NULL, NULL, &none), OVK_ERR_ARG);
  free(counts);
  free(offsets);
}

static void what_must_be_the_same_on_all_ranks_is_compared(void **state)
{
  (void)state;
  if (test_size == 1) skip();
  ovk_ctx *ctx = test_ctx();
  const bool here = is_last();
  const char *const different = "different collective operations";
  assert_error(ovk_collective_create_barrier(ctx, here ? "nbc:ways=2" : "nbc", &none), OVK_ERR_ARG,
               "different specs");
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, here ? 2 : 1, 8, 0, &none), OVK_ERR_ARG,
               different);
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, here ? 4 : 8, 0, &none), OVK_ERR_ARG,
               different);
  assert_error(ovk_collective_create_bcast(ctx, NULL, data, 1, 8, here ? 1 : 0, &none), OVK_ERR_ARG,
               different);
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1,
                                          here ? OVK_TYPE_INT64 : OVK_TYPE_DOUBLE, OVK_OP_SUM,
                                          &none),
               OVK_ERR_ARG, different);
  assert_error(ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                          here ? OVK_OP_MAX : OVK_OP_SUM, &none),
               OVK_ERR_ARG, different);
  assert_error(here ? ovk_collective_create_barrier(ctx, NULL, &none)
                    : ovk_collective_create_scan(ctx, NULL, data, data, 1, OVK_TYPE_DOUBLE,
                                                 OVK_OP_SUM, &none),
               OVK_ERR_ARG, different);
  assert_null(none);
}

static void what_is_sent_must_be_expected(void **state)
{
  (void)state;
  ovk_ctx *ctx = test_ctx();
  const bool here = is_last();
  const int last = test_size - 1;
  char said[96];
  int *ones = malloc((size_t)test_size * sizeof *ones),
      *odd = malloc((size_t)test_size * sizeof *odd);
  assert_true(ones && odd);
  for (int k = 0; k < test_size; k++) ones[k] = odd[k] = 1;
  odd[0] = 3; /* on the last rank, where it is used */
  const int *counts = here ? odd : ones;
  snprintf(said, sizeof said, "rank %d sends 2 items to rank 0, which expects 1", last);
  assert_error(ovk_collective_create_gatherv(ctx, NULL, data, here ? 2 : 1, data + 32, ones, NULL,
                                             8, 0, &none),
               OVK_ERR_ARG, said);
  snprintf(said, sizeof said, "rank 0 sends 1 items to rank %d, which expects 2", last);
  assert_error(ovk_collective_create_scatterv(ctx, NULL, data, ones, NULL, data + 32, here ? 2 : 1,
                                              8, 0, &none),
               OVK_ERR_ARG, said);
  snprintf(said, sizeof said, "rank %d sends 3 items to rank 0, which expects 1", last);
  assert_error(ovk_collective_create_alltoallv(ctx, NULL, data, counts, NULL, data + 32, ones, NULL,
                                               8, &none),
               OVK_ERR_ARG, said);
  snprintf(said, sizeof said, "rank 0 sends 1 items to rank %d, which expects 3", last);
  assert_error(ovk_collective_create_alltoallv(ctx, NULL, data, ones, NULL, data + 32, counts, NULL,
                                               8, &none),
               OVK_ERR_ARG, said);
  if (test_size > 1) {
    assert_error(
        ovk_collective_create_allgatherv(ctx, NULL, data, data + 32, counts, NULL, 8, &none),
        OVK_ERR_ARG, said);
    snprintf(said, sizeof said, "rank %d sends 3 items to rank 0, which expects 1", last);
    assert_error(ovk_collective_create_reduce_scatter(ctx, NULL, data, data + 32, counts,
                                                      OVK_TYPE_DOUBLE, OVK_OP_SUM, &none),
                 OVK_ERR_ARG, said);
  }
  assert_null(none);
  free(ones);
  free(odd);
}

/* More than most MPIs have communicators. */
static void thousands_can_be_made_one_after_the_other(void **state)
{
  (void)state;
  enum { N = 2500 };
  double x = 1, sum = 0;
  const int n = test_size > 2 ? N / 50 : N; /* more ranks than cores are slow */
  for (int k = 0; k < n; k++) {
    ovk_collective *c = allreduce(&x, &sum, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
    if (k % 100 == 0) carry_out(c);
    ovk_collective_destroy(&c);
  }
  assert_true(sum == test_size);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_barrier_ends_only_when_all_have_begun_it),
      cmocka_unit_test(test_tells_completion_and_wait_ends_it),
      cmocka_unit_test(a_hook_moves_the_operation_on),
      cmocka_unit_test(misuse_is_a_state_error),
      cmocka_unit_test(destroying_a_running_operation_waits_for_it),
      cmocka_unit_test(many_are_in_flight_at_once_and_end_in_any_order),
      cmocka_unit_test(a_rank_may_wait_for_a_sum_first_and_another_for_an_operation),
      cmocka_unit_test(results_may_replace_what_is_sent_where_the_header_says_so),
      cmocka_unit_test(one_nan_makes_a_nan_on_all_ranks),
      cmocka_unit_test(integers_at_the_ends_of_their_type_are_exact),
      cmocka_unit_test(allreduces_give_the_same_bits_on_all_ranks),
      cmocka_unit_test(bad_specs_are_errors_on_all_ranks),
      cmocka_unit_test(bad_arguments_on_one_rank_are_errors_on_all),
      cmocka_unit_test(what_must_be_the_same_on_all_ranks_is_compared),
      cmocka_unit_test(what_is_sent_must_be_expected),
      cmocka_unit_test(thousands_can_be_made_one_after_the_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
