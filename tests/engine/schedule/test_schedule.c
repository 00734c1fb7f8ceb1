/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of all-reduces at one level, of all ranks in one process: the totals are right and
 * bitwise identical, the schedule is free of races and deadlocks (see schedule_machine.h), and the
 * numbers of messages, consecutive and in total, agree with theory. */
#include "comm/engine/schedule/algorithms/algorithms.h"
#include "schedule_sums.h"
#include "support/test_main.h"

#include <ovkrylov/comm/schedule.h>

enum { MOST_RANKS = 70 };

/* One level. */
static void check_flatly(const char *spec, int nranks, size_t count)
{
  setting s = setting_of(spec, nranks);
  scoped_machine *m = allreduce(&s, count);
  const theory t = theory_of(&s.algorithms.level[0], nranks, count);
  assert_int_equal(m->nmessages, t.messages);
  assert_in_range(machine_hops(m), t.least_hops, t.most_hops);
  assert_in_range(machine_rounds(m), nranks > 1, t.most_rounds);
  for (int rank = 0; rank < nranks; rank++) {
    assert_in_range(m->ranks[rank].schedule.work, 0, t.most_work);
  }
  ovk__hierarchy_free(&s.hierarchy);
}

TEST(flat_is_right_for_every_rank_count)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    check_flatly("nbc:alg=flat", n, 1);
    check_flatly("nbc:alg=flat", n, 3);
  }
  check_flatly("nbc:alg=flat", 256, 1);
}

TEST(kary_is_right_for_every_rank_count_and_k)
{
  for (int k = 2; k <= 8; k++) {
    char spec[64];
    snprintf(spec, sizeof spec, "nbc:alg=kary,k=%d", k);
    for (int n = 1; n <= MOST_RANKS; n++) {
      check_flatly(spec, n, 1);
      check_flatly(spec, n, 3);
    }
  }
}

static void check_degrees(const char *algorithm)
{
  for (int reduce = 2; reduce <= 8; reduce++) {
    for (int bcast = 2; bcast <= 8; bcast++) {
      char spec[64];
      snprintf(spec, sizeof spec, "nbc:alg=%s,reduce=%d,bcast=%d", algorithm, reduce, bcast);
      for (int n = 1; n <= MOST_RANKS; n++) check_flatly(spec, n, n % 2 ? 1 : 3);
    }
  }
}

TEST(trees_are_right_for_every_rank_count_and_degrees)
{
  check_degrees("tree");
  check_degrees("nary");
}

static void check_segments(const char *spec)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    const size_t size = (size_t)n, counts[] = {1, size - 1, size, size + 1, 3 * size + 1};
    for (int k = 0; k < 5; k++) {
      if (counts[k]) check_flatly(spec, n, counts[k]);
    }
  }
  check_flatly(spec, 127, 500);
}

TEST(ring_is_right_for_every_rank_count_and_length)
{
  check_segments("nbc:alg=ring");
}

TEST(halving_is_right_for_every_rank_count_and_length)
{
  check_segments("nbc:alg=halving");
}

static ovk__schedule schedule_of(const char *spec, int nranks, size_t count, size_t size)
{
  setting s = setting_of(spec, nranks);
  ovk__schedule schedule;
  assert_ok(ovk__schedule_allreduce(test_ctx(), &s.algorithms, &s.hierarchy, nranks - 1, count,
                                    size, &schedule));
  ovk__hierarchy_free(&s.hierarchy);
  return schedule;
}

static void check_auto(const char *channel, int nranks, size_t count, size_t size, const char *alg)
{
  char chosen[64], expected[64];
  snprintf(chosen, sizeof chosen, "nbc:alg=auto,channel=%s", channel);
  snprintf(expected, sizeof expected, "nbc:alg=%s,channel=%s", alg, channel);
  SCOPED(ovk__schedule_free)
  ovk__schedule a = schedule_of(chosen, nranks, count, size),
                b = schedule_of(expected, nranks, count, size);
  assert_int_equal(a.nrounds, b.nrounds);
  assert_int_equal(a.nactions, b.nactions);
  assert_int_equal(a.work, b.work);
}

/* With 8 ranks the two differ in the number of rounds, with 2 in that of actions or work. */
TEST(auto_takes_the_ring_for_long_segments)
{
  static const char *const channels[] = {"p2p", "shm", "verbs"};
  static const size_t limits[] = {262144, 131072, 131072}; /* bytes */
  for (int c = 0; c < 3; c++) {
    for (int n = 2; n <= 9; n++) {
      const size_t longest = limits[c] / sizeof(double) * (size_t)n;
      check_auto(channels[c], n, 1, sizeof(double), "doubling");
      check_auto(channels[c], n, longest - 1, sizeof(double), "doubling");
      check_auto(channels[c], n, longest, sizeof(double), "ring");
      check_auto(channels[c], n, (size_t)n, limits[c], "ring"); /* one long element for each */
      check_auto(channels[c], n, (size_t)n - 1, limits[c], "doubling");
    }
  }
}

/* Segments of different lengths, some of them empty, with gaps between them. */
static void cut(ovk__segment *segments, int n)
{
  size_t first = 1;
  for (int k = 0; k < n; k++) {
    segments[k] = (ovk__segment){first, (size_t)(k * k % 4)};
    first += segments[k].count + 1;
  }
}

TEST(half_rings_take_segments_of_any_length)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    ovk__segment segments[MOST_RANKS];
    cut(segments, n);
    const size_t length = segments[n - 1].first + segments[n - 1].count;
    scoped_machine *m = machine_make(n);
    for (int rank = 0; rank < n; rank++) {
      ovk__builder b = ovk__build_begin(test_ctx(), (ovk__group){.size = n, .index = rank},
                                        &m->ranks[rank].schedule);
      const ovk_place own = {OVK_OUTPUT, segments[rank].first};
      ovk__build_ring_reduce_scatter(&b, segments, (ovk_place){OVK_INPUT, 0}, own,
                                     (ovk_place){OVK_WORK, 0});
      ovk__build_ring_allgather(&b, segments, (ovk_place){OVK_OUTPUT, 0});
      assert_ok(ovk__build_end(&b));
      fill(machine_give(m, rank, OVK_INPUT, length), rank, length);
      machine_give(m, rank, OVK_OUTPUT, length);
    }
    machine_run(m, (uint64_t)n);
    for (int rank = 0; rank < n; rank++) {
      const double *got = machine_buffer_of(m, rank, OVK_OUTPUT);
      for (int k = 0; k < n; k++) {
        const size_t end = segments[k].first + segments[k].count;
        for (size_t i = segments[k].first; i < end; i++) check_sum(got[i], n, i);
        assert_true(isnan(got[segments[k].first - 1]) != 0); /* gaps are unchanged */
      }
    }
  }
}

TEST(trees_and_doubling_are_right_for_thousands_of_ranks)
{
  const int sizes[] = {127, 256, 625, 1000, 4096};
  for (int i = 0; i < 5; i++) {
    check_flatly("nbc:alg=doubling", sizes[i], 1);
    check_flatly("nbc:alg=kary,k=5", sizes[i], 1);
    check_flatly("nbc:alg=kary,k=8", sizes[i], 1);
    check_flatly("nbc:alg=tree", sizes[i], 1);
    check_flatly("nbc:alg=nary", sizes[i], 1);
  }
}

TEST(flat_adds_up_in_the_order_of_ranks)
{
  setting s = setting_of("nbc:alg=flat", 37);
  scoped_machine *m = allreduce(&s, 1);
  double sum = part(0, 0);
  for (int rank = 1; rank < 37; rank++) sum += part(rank, 0);
  assert_memory_equal(machine_buffer_of(m, 36, OVK_OUTPUT), &sum, sizeof sum);
  ovk__hierarchy_free(&s.hierarchy);
}

TEST(operations_on_nothing_send_nothing)
{
  setting s = setting_of("nbc:levels=2,alg=flat", 5);
  SCOPED(ovk__schedule_free) ovk__schedule schedule;
  assert_ok(ovk__schedule_allreduce(test_ctx(), &s.algorithms, &s.hierarchy, 1, 0, sizeof(double),
                                    &schedule));
  assert_int_equal(schedule.nrounds, 0);
  assert_false(schedule.barrier);
  ovk__schedule_free(&schedule);
  assert_ok(ovk__schedule_reduce(test_ctx(), &s.algorithms, &s.hierarchy, 1, 0, 0, &schedule));
  assert_int_equal(schedule.nrounds, 0);
  ovk__schedule_free(&schedule);
  assert_ok(ovk__schedule_bcast(test_ctx(), &s.algorithms, &s.hierarchy, 1, 0, 0, &schedule));
  assert_int_equal(schedule.nrounds, 0);
  ovk__hierarchy_free(&s.hierarchy);
}
