/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums whose network fails: all ranks get the same totals or the same error, within the time
 * limit. */
#include "fault_world.h"
#include "support/clock.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/reduction.h>

static const char *const ways[] = {"alg=flat",
                                   "alg=doubling",
                                   "alg=tree,k=2",
                                   "alg=flat,levels=2",
                                   "mode=atomic",
                                   "mode=atomic,levels=2",
                                   "alg=tree,k=2,agent=thread"};
enum { WAYS = sizeof ways / sizeof *ways };

static ovk_reduction *create_sum(const world *w, const char *spec)
{
  ovk_reduction *red = NULL;
  const ovk_err err = ovk_reduction_create(w->ctx, spec, 2, &red);
  if (err) fail_msg("%s: %s", spec, ovk_ctx_error(w->ctx));
  return red;
}

/* Values of sum number n. */
static void write_parts(ovk_reduction *red, int n)
{
  ovk_reduction_values(red)[0] = test_rank + 1;
  ovk_reduction_values(red)[1] = n;
}

static void check_totals(ovk_reduction *red, int n)
{
  assert_true(ovk_reduction_values(red)[0] == test_size * (test_size + 1) / 2);
  assert_true(ovk_reduction_values(red)[1] == n * test_size);
}

static void begin_sum(ovk_reduction *red, int n)
{
  write_parts(red, n);
  assert_int_equal(ovk_reduction_begin(red), OVK_OK); /* also if the network has failed */
}

/* Carries out up to n sums in sequence; returns how many succeeded. */
static int sum_up(const world *w, ovk_reduction *red, int n, const char *words)
{
  for (int k = 0; k < n; k++) {
    begin_sum(red, k);
    if (has_failed(w, ovk_reduction_wait(red), words)) return k;
    check_totals(red, k);
  }
  return n;
}

/* A spec of verbs. */
OVK_PRINTF(2, 3)
static const char *spec_of(char spec[VERBS_SPEC_SIZE], const char *format, ...)
{
  char keys[VERBS_KEYS_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(keys, sizeof keys, format, args);
  va_end(args);
  return verbs_spec(spec, keys);
}

TEST(lost_messages_are_missed_in_time)
{
  enum { N = 40 };
  for (int k = 0; k < WAYS * test_size; k++) {
    char spec[VERBS_SPEC_SIZE];
    const char *way = ways[k % WAYS];
    SCOPED(world_close) world w;
    world_open(&w);
    scoped_reduction *red =
        create_sum(&w, spec_of(spec, "%s,timeout_ms=100,fault=silence,fault_rank=%d,fault_at=15",
                               way, k / WAYS));
    const int n = sum_up(&w, red, N, "timeout_ms is 100");
    assert_true(n < N || strstr(way, "levels")); /* with levels not all ranks have works */
  }
}

/* A recovery ends with an error if a rank is interrupted for a second, as a loaded machine does now
 * and then. */
TEST(lost_messages_are_made_good_by_a_fallback)
{
  enum { N = 40, TRIALS = 3 };
  for (int k = 0; k < WAYS; k++) {
    char spec[VERBS_SPEC_SIZE];
    spec_of(spec, "%s,timeout_ms=100,fault=silence,fault_rank=%d,fault_at=15,fallback=nbc", ways[k],
            k % test_size);
    bool good = false;
    for (int trial = 0; trial < TRIALS && !good; trial++) {
      SCOPED(world_close) world w;
      world_open(&w);
      scoped_reduction *red = create_sum(&w, spec);
      good = sum_up(&w, red, N, "") == N;
    }
    assert_true(good);
  }
}

static const char *const late_keys[] = {"alg=flat,timeout_ms=100",
                                        "mode=atomic,timeout_ms=100,fallback=nbc"};
enum { LATE_KEYS = sizeof late_keys / sizeof *late_keys };

/* The last rank begins a sum after the others have timed out, and all fail. Returns false if a rank
 * was interrupted before, so that an earlier sum has failed, or was made over the fallback. */
static bool last_is_too_late(const char *keys)
{
  enum { N = 3 };
  char spec[VERBS_SPEC_SIZE];
  SCOPED(world_close) world w;
  world_open(&w);
  scoped_reduction *red = create_sum(&w, verbs_spec(spec, keys));
  if (sum_up(&w, red, N, "") < N) return false;
  if (is_last()) sleep_for(1.6);
  begin_sum(red, N);
  const bool failed = has_failed(&w, ovk_reduction_wait(red), "does not answer");
  assert_true(failed || w.notices);
  return failed;
}

TEST(a_rank_that_is_too_late_fails_like_all_others)
{
  enum { TRIALS = 20 };
  for (int k = 0; k < LATE_KEYS; k++) {
    int trial = 0;
    while (!last_is_too_late(late_keys[k])) assert_true(++trial < TRIALS);
  }
}

/* Whether it is too late depends on the machine; all ranks must agree. */
TEST(a_rank_that_is_almost_too_late_agrees_with_all_others)
{
  for (int k = 0; k < LATE_KEYS; k++) {
    char spec[VERBS_SPEC_SIZE];
    SCOPED(world_close) world w;
    world_open(&w);
    scoped_reduction *red = create_sum(&w, verbs_spec(spec, late_keys[k]));
    if (test_rank == 0) sleep_for(1.05 + 0.06 * k);
    (void)sum_up(&w, red, 5, "rank");
  }
}

TEST(a_slow_rank_is_not_taken_for_dead)
{
  for (int k = 0; k < WAYS; k += 4) {
    char spec[VERBS_SPEC_SIZE];
    SCOPED(world_close) world w;
    world_open(&w);
    scoped_reduction *red = create_sum(&w, spec_of(spec, "%s,timeout_ms=30000", ways[k]));
    const bool late = test_rank == k / 4 % test_size;
    if (late) sleep_for(1);
    begin_sum(red, 0);
    if (!late) sleep_for(0.3);
    assert_false(has_failed(&w, ovk_reduction_wait(red), ""));
    check_totals(red, 0);
  }
}

enum { FLIGHT = 5 };

/* Begins several sums and waits for them in different orders. With `last` a rank destroys a sum as
 * soon as it has the result, while others may still wait. */
static bool run_sums(const world *w, ovk_reduction *reds[FLIGHT], bool last)
{
  bool failed[FLIGHT], some = false;
  for (int k = 0; k < FLIGHT; k++) begin_sum(reds[k], k);
  for (int k = 0; k < FLIGHT; k++) {
    const int which = test_rank % 2 ? FLIGHT - 1 - k : k;
    failed[which] = ovk_reduction_wait(reds[which]) != OVK_OK;
    if (!failed[which]) check_totals(reds[which], which);
    if (failed[which] || last) ovk_reduction_destroy(&reds[which]);
  }
  for (int k = 0; k < FLIGHT; k++) some = alike(w, failed[k]) || some;
  return some;
}

/* Returns whether a sum failed. */
static bool run_sums_with_fault(const char *spec)
{
  enum { TIMES = 4 };
  SCOPED(world_close) world w;
  ovk_reduction *reds[FLIGHT];
  bool some = false;
  world_open(&w);
  for (int k = 0; k < FLIGHT; k++) reds[k] = create_sum(&w, spec);
  for (int t = 1; t <= TIMES && !some; t++) some = run_sums(&w, reds, t == TIMES);
  for (int k = 0; k < FLIGHT && some; k++) ovk_reduction_destroy(&reds[k]);
  return some;
}

TEST(sums_in_flight_fare_alike)
{
  static const char *const faults[] = {"break", "device"};
  const int step = stride(5);
  for (int k = 0; k < WAYS * test_size; k++) {
    const char *way = ways[k % WAYS], *fault = faults[k % 2];
    const int rank = k / WAYS;
    bool some = true;
    for (int at = 1 + k % step; some; at += step) {
      char spec[VERBS_SPEC_SIZE];
      some = run_sums_with_fault(
          spec_of(spec, "%s,fault=%s,fault_rank=%d,fault_at=%d", way, fault, rank, at));
      assert_false(run_sums_with_fault(spec_of(
          spec, "%s,fault=%s,fault_rank=%d,fault_at=%d,fallback=nbc", way, fault, rank, at)));
    }
  }
}

TEST_GROUP(skip_without_nic, NULL)
