/* SPDX-License-Identifier: BSD-2-Clause */
/* The reduction contract, point by point. */
#include "conformance.h"
#include "support/matrices.h"
#include "support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static ovk_reduction *make(const char *spec, int count)
{
  ovk_reduction *red = NULL;
  assert_ok(ovk_reduction_create(test_ctx(), spec, count, &red));
  return red;
}

/* This rank's part of value i in round t; of very different sizes, so that the order of summation
 * shows in the last bits. */
static double part(int rank, int t, int i)
{
  static const double scales[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
  const uint64_t k = (uint64_t)(rank * 1000003 + t * 1009 + i);
  return (random_number(11, k) - 0.5) * scales[(int)(random_number(12, k) * 12)];
}

/* How often a loop of sums is worth running: with more ranks than cores each one waits for the
 * scheduler, for milliseconds where the MPI does not yield; and devices are tested in emulated
 * machines. */
static int rounds(int most)
{
  const char *device = getenv("OVK_TEST_DEVICE");
  return test_size > 2 || device ? most / 10 : most;
}

static void write_parts(ovk_reduction *red, int count, int t)
{
  for (int i = 0; i < count; i++) ovk_reduction_values(red)[i] = part(test_rank, t, i);
}

/* The totals are right to rounding, and have the same bits on all ranks (point 1). */
static void check_totals(ovk_reduction *red, int count, int t)
{
  double *mine = ovk_reduction_values(red);
  double *first = malloc((size_t)count * sizeof *first);
  assert_non_null(first);
  memcpy(first, mine, (size_t)count * sizeof *first);
  MPI_Bcast(first, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  assert_memory_equal(first, mine, (size_t)count * sizeof *first);
  for (int i = 0; i < count; i++) {
    double sum = 0, size = 0;
    for (int rank = 0; rank < test_size; rank++) {
      sum += part(rank, t, i);
      size += fabs(part(rank, t, i));
    }
    assert_true(fabs(mine[i] - sum) <= 1e-15 * test_size * size);
  }
  free(first);
}

static void totals_are_right_and_bit_identical(const char *spec)
{
  const int counts[] = {1, 2, 3, 5, 8, 17, 1000, rounds(rounds(100000))};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    ovk_reduction *red = make(spec, counts[k]);
    assert_string_equal(ovk_reduction_spec(red), spec);
    assert_int_equal((uintptr_t)ovk_reduction_values(red) % 64, 0);
    for (int t = 0; t < 5; t++) {
      write_parts(red, counts[k], t);
      assert_ok(ovk_reduction_begin(red));
      assert_ok(ovk_reduction_wait(red));
      check_totals(red, counts[k], t);
    }
    ovk_reduction_destroy(&red);
    assert_null(red);
  }
}

static void not_a_number_and_infinity_reach_all_ranks(const char *spec)
{
  ovk_reduction *red = make(spec, 3);
  double *values = ovk_reduction_values(red);
  const bool last = test_rank == test_size - 1;
  values[0] = last ? NAN : 1;
  values[1] = last ? INFINITY : 1;
  values[2] = -0.0;
  assert_ok(ovk_reduction_begin(red));
  assert_ok(ovk_reduction_wait(red));
  assert_true(isnan(values[0]) && isinf(values[1]) && values[1] > 0 && values[2] == 0);
  ovk_reduction_destroy(&red);
}

static void test_tells_completion_and_wait_ends_it(const char *spec)
{
  ovk_reduction *red = make(spec, 2);
  for (int t = 0; t < rounds(50); t++) {
    write_parts(red, 2, t);
    assert_ok(ovk_reduction_begin(red));
    assert_true(ovk_reduction_running(red));
    bool complete = false;
    while (!complete) assert_ok(ovk_reduction_test(red, &complete));
    assert_ok(ovk_reduction_test(red, &complete)); /* and again, still complete */
    assert_true(complete && ovk_reduction_running(red));
    assert_ok(ovk_reduction_wait(red));
    assert_false(ovk_reduction_running(red));
    check_totals(red, 2, t);
  }
  ovk_reduction_destroy(&red);
}

/* Points 2 and 3: several in flight, polled from a kernel, waited for in another order than begun,
 * and by each rank in an order of its own. */
static void several_in_flight_do_not_mix(const char *spec)
{
  enum { FLIGHT = 4 };
  ovk_reduction *red[FLIGHT];
  for (int k = 0; k < FLIGHT; k++) red[k] = make(spec, k + 1);
  for (int t = 0; t < rounds(50); t++) {
    for (int k = 0; k < FLIGHT; k++) {
      write_parts(red[k], k + 1, t * FLIGHT + k);
      assert_ok(ovk_reduction_begin(red[k]));
    }
    const ovk_poll poll = ovk_reduction_poll(red[t % FLIGHT], 10);
    for (int n = 0; n < 20; n++) ovk_poll_call(poll);
    for (int k = 0; k < FLIGHT; k++) {
      const int which = (k * 3 + t + test_rank) % FLIGHT;
      assert_ok(ovk_reduction_wait(red[which]));
    }
    for (int k = 0; k < FLIGHT; k++) check_totals(red[k], k + 1, t * FLIGHT + k);
  }
  for (int k = 0; k < FLIGHT; k++) ovk_reduction_destroy(&red[k]);
}

/* Point 4: fast ranks begin again at once, while one rank dawdles now and then. */
static void a_rank_may_begin_again_right_after_its_wait(const char *spec)
{
  ovk_reduction *red = make(spec, 2);
  for (int t = 0; t < rounds(400); t++) {
    if (test_size > 1 && t % 5 == 2 && t / 5 % test_size == test_rank) {
      nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
    }
    ovk_reduction_values(red)[0] = test_rank + t;
    ovk_reduction_values(red)[1] = 1;
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    const int ranks = test_size * (test_size - 1) / 2;
    assert_true(ovk_reduction_values(red)[0] == ranks + (double)t * test_size);
    assert_true(ovk_reduction_values(red)[1] == test_size);
  }
  ovk_reduction_destroy(&red);
}

/* Point 6. */
static void destroying_a_running_reduction_drains_it(const char *spec)
{
  for (int t = 0; t < 10; t++) {
    ovk_reduction *abandoned = make(spec, 3), *next = make(spec, 3);
    write_parts(abandoned, 3, t);
    assert_ok(ovk_reduction_begin(abandoned));
    ovk_reduction_destroy(&abandoned);
    write_parts(next, 3, t + 1);
    assert_ok(ovk_reduction_begin(next));
    assert_ok(ovk_reduction_wait(next));
    check_totals(next, 3, t + 1);
    ovk_reduction_destroy(&next);
  }
}

/* Point 8: a user's traffic with any tag on the context's parent, and on another context. */
static void other_traffic_does_not_match(const char *spec, ovk_err (*introduce)(ovk_ctx *ctx))
{
  ovk_ctx *other = NULL;
  ovk_reduction *red = make(spec, 2), *same = NULL;
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &other), OVK_OK);
  if (introduce) assert_int_equal(introduce(other), OVK_OK);
  assert_int_equal(ovk_reduction_create(other, spec, 2, &same), OVK_OK);
  const int up = (test_rank + 1) % test_size, down = (test_rank + test_size - 1) % test_size;
  for (int t = 0; t < 20; t++) {
    double out = test_rank, in = -1;
    write_parts(red, 2, t);
    write_parts(same, 2, t + 1);
    assert_ok(ovk_reduction_begin(red));
    assert_int_equal(ovk_reduction_begin(same), OVK_OK);
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, up, t, &in, 1, MPI_DOUBLE, down, t, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    assert_true(in == down);
    assert_int_equal(ovk_reduction_wait(same), OVK_OK);
    assert_ok(ovk_reduction_wait(red));
    check_totals(red, 2, t);
    check_totals(same, 2, t + 1);
  }
  ovk_reduction_destroy(&red);
  ovk_reduction_destroy(&same);
  ovk_ctx_destroy(&other);
}

/* Point 9. */
static void misuse_is_a_state_error(const char *spec)
{
  ovk_reduction *red = make(spec, 1);
  bool complete;
  assert_error(ovk_reduction_wait(red), OVK_ERR_STATE, "wait: this reduction is not running");
  assert_error(ovk_reduction_test(red, &complete), OVK_ERR_STATE, "not running");
  ovk_poll_call(ovk_reduction_poll(red, 0)); /* does nothing */
  ovk_reduction_values(red)[0] = 1;
  assert_ok(ovk_reduction_begin(red));
  assert_error(ovk_reduction_begin(red), OVK_ERR_STATE, "begin: this reduction is running already");
  assert_ok(ovk_reduction_wait(red));
  assert_true(ovk_reduction_values(red)[0] == test_size);
  assert_error(ovk_reduction_wait(red), OVK_ERR_STATE, "not running");
  ovk_reduction_destroy(&red);
}

/* A barrier of several rounds needs all ranks on its way. Rank 0 waits for the sum first, which the
 * others begin only after the barrier. */
void conformance_check_mixed(const char *spec)
{
  ovk_reduction *red = make(spec, 1);
  ovk_collective *barrier = NULL;
  assert_ok(ovk_ibarrier_create(test_ctx(), NULL, &barrier));
  for (int t = 0; t < 5; t++) {
    ovk_reduction_values(red)[0] = test_rank;
    assert_ok(ovk_collective_begin(barrier));
    if (test_rank > 0) assert_ok(ovk_collective_wait(barrier));
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    if (test_rank == 0) assert_ok(ovk_collective_wait(barrier));
    assert_true(ovk_reduction_values(red)[0] == test_size * (test_size - 1) / 2);
  }
  ovk_collective_destroy(&barrier);
  ovk_reduction_destroy(&red);
}

/* One communicator an opened backend, not one a reduction: MPIs have some 2000 and more. */
void conformance_check_thousands(const char *spec)
{
  if (test_size > 2) return; /* says the same on more ranks, but takes long */
  for (int k = 0; k < rounds(3000); k++) {
    ovk_reduction *red = make(spec, 1);
    ovk_reduction_destroy(&red);
  }
}

void conformance_check(const char *spec, ovk_err (*introduce)(ovk_ctx *ctx))
{
  totals_are_right_and_bit_identical(spec);
  not_a_number_and_infinity_reach_all_ranks(spec);
  test_tells_completion_and_wait_ends_it(spec);
  several_in_flight_do_not_mix(spec);
  a_rank_may_begin_again_right_after_its_wait(spec);
  destroying_a_running_reduction_drains_it(spec);
  other_traffic_does_not_match(spec, introduce);
  misuse_is_a_state_error(spec);
}
