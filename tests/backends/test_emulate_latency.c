/* SPDX-License-Identifier: BSD-2-Clause */
/* The decorator "emulate-latency" over other backends. Only lower bounds on times are checked. */
#include "backends/emulate_latency/latency.h"
#include "support/clock.h"
#include "support/conformance.h"
#include "support/problem.h"

#include <ovkrylov/comm/reduction.h>

TEST(it_conforms_over_other_backends)
{
  const char *const specs[] = {
      "emulate-latency:us=50|shm",
      "emulate-latency:us=20,jitter=0.5|nbc:alg=tree",
      "emulate-latency:us=20|nbc:levels=2,alg=flat+kary,k=3,channel=shm+p2p",
      "emulate-latency:us=0|blocking",
      "emulate-latency|blocking",
      "emulate-latency:us=10|iallreduce",
      "emulate-latency:us=5|emulate-latency:us=15,jitter=1|shm"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) conformance_check(specs[k], NULL);
}

TEST(a_rank_that_waits_lets_other_operations_go_on)
{
  conformance_check_mixed("emulate-latency:us=50|shm");
  conformance_check_mixed("emulate-latency:us=50|emulate-latency:us=100|nbc");
}

TEST(thousands_of_sums_use_up_nothing)
{
  conformance_check_thousands("emulate-latency:us=50|shm");
}

static ovk_reduction *make_sum(const char *spec)
{
  return new_sum(spec, 1);
}

static void begin_sum(ovk_reduction *red)
{
  ovk_reduction_values(red)[0] = test_rank + 1;
  assert_ok(ovk_reduction_begin(red));
}

static void check_total(ovk_reduction *red)
{
  assert_true(ovk_reduction_values(red)[0] == test_size * (test_size + 1) / 2.0);
}

TEST(a_sum_takes_the_latency_from_begin_to_completion)
{
  const struct {
    const char *spec;
    double seconds;
  } cases[] = {{"emulate-latency:us=3000|shm", 3e-3},
               {"emulate-latency:us=2000,jitter=1|iallreduce", 2e-3},
               {"emulate-latency:us=2000|blocking", 2e-3},
               {"emulate-latency:us=10|emulate-latency:us=3000|nbc", 3e-3},
               {"emulate-latency:us=3000|emulate-latency:us=10|auto", 3e-3},
               {"emulate-latency|blocking", 1e-4}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    scoped_reduction *red = make_sum(cases[k].spec);
    for (int t = 0; t < 3; t++) {
      bool complete = t == 2; /* without a test */
      const double start = clock_now();
      begin_sum(red);
      while (!complete) assert_ok(ovk_reduction_test(red, &complete));
      if (t < 2) assert_true(clock_now() - start >= cases[k].seconds);
      assert_ok(ovk_reduction_wait(red));
      assert_true(clock_now() - start >= cases[k].seconds);
      check_total(red);
    }
  }
}

/* Rank r begins the second one 2 ms after the first, which is then complete on all ranks. */
TEST(several_in_flight_have_a_time_each)
{
  scoped_reduction *first = make_sum("emulate-latency:us=4000|shm"),
                   *second = make_sum("emulate-latency:us=4000|shm");
  const double start = clock_now();
  begin_sum(first);
  while (clock_now() - start < 2e-3) continue;
  const double later = clock_now();
  begin_sum(second);
  assert_ok(ovk_reduction_wait(first));
  assert_true(clock_now() - start >= 4e-3);
  assert_ok(ovk_reduction_wait(second));
  assert_true(clock_now() - later >= 4e-3);
  check_total(first);
  check_total(second);
}

/* A rank that has not begun delays the others, independent of their clocks. */
TEST(it_does_not_complete_before_the_inner_sum)
{
  scoped_reduction *red = make_sum("emulate-latency:us=0|shm");
  bool complete = false;
  if (test_rank == 0) begin_sum(red);
  if (test_rank == 0) assert_ok(ovk_reduction_test(red, &complete));
  assert_true(!complete || test_size == 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank > 0) begin_sum(red);
  assert_ok(ovk_reduction_wait(red));
  check_total(red);
}

TEST(jitter_depends_on_rank_and_number_only)
{
  const ovk__latency none = {20.5, 0}, half = {200, 0.5}, zero = {0, 1};
  int64_t least = INT64_MAX, most = 0;
  int same = 0;
  for (int rank = 0; rank < 4; rank++) {
    for (uint64_t k = 0; k < 1000; k++) {
      const int64_t ns = ovk__latency_of(&half, rank, k);
      assert_true(ns == ovk__latency_of(&half, rank, k));
      assert_true(ns >= 200000 && ns <= 300000);
      assert_true(ovk__latency_of(&none, rank, k) == 20500);
      assert_true(ovk__latency_of(&zero, rank, k) == 0);
      same +=
          ns == ovk__latency_of(&half, rank + 1, k) || ns == ovk__latency_of(&half, rank, k + 1);
      least = ns < least ? ns : least;
      most = ns > most ? ns : most;
    }
  }
  assert_true(same < 10 && least < 201000 && most > 299000);
}

TEST(what_auto_chose_stands_in_the_spec)
{
  scoped_reduction *plain = make_sum("auto");
  scoped_reduction *red = make_sum("emulate-latency:us=5|emulate-latency:us=7|auto");
  char expected[128] = "emulate-latency:us=5|emulate-latency:us=7|";
  strcat(expected, ovk_reduction_spec(plain));
  assert_string_equal(ovk_reduction_spec(red), expected);
  scoped_reduction *again = make_sum("emulate-latency:us=5|emulate-latency:us=7|auto"),
                   *named = make_sum(expected);
  assert_ptr_equal(ovk_reduction_spec(red), ovk_reduction_spec(again)); /* opened once only */
  assert_ptr_equal(ovk_reduction_spec(red), ovk_reduction_spec(named));
  scoped_reduction *other = make_sum("emulate-latency:us=6|emulate-latency:us=7|auto");
  assert_string_not_equal(ovk_reduction_spec(red), ovk_reduction_spec(other));
}

/* Ranks may begin a decorated sum and one of its inner backend's spec in different orders. */
TEST(the_inner_backend_is_not_shared_with_others)
{
  scoped_reduction *plain = make_sum("iallreduce"),
                   *red = make_sum("emulate-latency:us=5|iallreduce");
  const bool odd = test_rank % 2;
  begin_sum(odd ? plain : red);
  begin_sum(odd ? red : plain);
  assert_ok(ovk_reduction_wait(plain));
  assert_ok(ovk_reduction_wait(red));
  check_total(plain);
  check_total(red);
}

TEST(wrong_specs_are_explained)
{
  const struct {
    const char *spec;
    ovk_err err;
    const char *says;
  } cases[] = {
      {"emulate-latency", OVK_ERR_ARG,
       "backend 'emulate-latency' decorates another one, which is missing: 'emulate-latency|NAME'"},
      {"emulate-latency:us=5", OVK_ERR_ARG, "which is missing: 'emulate-latency:us=5|NAME'"},
      {"emulate-latency:us=5|emulate-latency:us=6", OVK_ERR_ARG,
       "which is missing: 'emulate-latency:us=6|NAME'"},
      {"emulate-latency:us=5|", OVK_ERR_ARG, "column 22: a name is missing"},
      {"emulate-latency:su=5|shm", OVK_ERR_UNKNOWN,
       "'emulate-latency' has no key 'su', did you mean 'us'?"},
      {"emulate-latency:us=-1|shm", OVK_ERR_ARG,
       "'emulate-latency': us is '-1', but must be a number from 0 to 1e+07"},
      {"emulate-latency:us=1e8|shm", OVK_ERR_ARG,
       "'emulate-latency': us is '1e8', but must be a number from 0 to 1e+07"},
      {"emulate-latency:us=1e999|shm", OVK_ERR_ARG, "but must be a number from 0 to 1e+07"},
      {"emulate-latency:us=nan|shm", OVK_ERR_ARG, "but must be a number from 0 to 1e+07"},
      {"emulate-latency:us=5ms|shm", OVK_ERR_ARG, "but must be a number from 0 to 1e+07"},
      {"emulate-latency:us|shm", OVK_ERR_ARG, "but must be a number from 0 to 1e+07"},
      {"emulate-latency:us=1,jitter=1.5|shm", OVK_ERR_ARG, "but must be a number from 0 to 1"},
      {"emulate-latency:us=1,jitter=-0.1|shm", OVK_ERR_ARG, "but must be a number from 0 to 1"},
      {"dealy|shm", OVK_ERR_UNKNOWN, "unknown backend 'dealy', did you mean 'delay'?"},
      {"emulate-latency|smh", OVK_ERR_UNKNOWN, "unknown backend 'smh', did you mean 'shm'?"},
      {"emulate-latency|nbc:agl=tree", OVK_ERR_UNKNOWN,
       "'nbc' has no key 'agl', did you mean 'alg'?"},
      {"emulate-latency|nbc:progress=treads", OVK_ERR_UNKNOWN,
       "progress cannot be 'treads', did you mean 'thread'?"},
      {"emulate-latency|shm|nbc", OVK_ERR_ARG, "backend 'shm' is no decorator"},
      {"shm|emulate-latency|nbc", OVK_ERR_ARG, "backend 'shm' is no decorator"},
      {"emulate-latency|auto:alg=flat", OVK_ERR_UNKNOWN, "'auto' takes no keys"},
      {"delay|delay|delay|delay|delay|delay|delay|delay|shm", OVK_ERR_ARG,
       "a spec of 9 components between '|', 8 are the most: 'delay|delay"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_no_sum(cases[k].spec, 1, cases[k].err, cases[k].says);
  }
}

TEST(former_names_are_accepted)
{
  const char *const specs[] = {"delay:us=1|shm", "blocking:equal", "delay|blocking:equal"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    scoped_reduction *red = make_sum(specs[k]);
    assert_string_equal(ovk_reduction_spec(red), specs[k]);
    ovk_reduction_values(red)[0] = 1;
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    assert_true(ovk_reduction_values(red)[0] == test_size);
  }
}

TEST(it_is_listed_as_a_decorator)
{
  ovk_choice choice = {0};
  int decorators = 0;
  for (int k = 0; ovk_list_backends(NULL, k, &choice); k++) {
    decorators += choice.decorates;
    assert_true(choice.decorates == (strcmp(choice.name, "emulate-latency") == 0));
  }
  assert_int_equal(decorators, 1);
}
