/* SPDX-License-Identifier: BSD-2-Clause */
/* As test_schedule_collectives.c, of the operations that combine data: reduce-scatters and scans.
 */
#include "schedule_shares.h"
#include "support/problem.h"

static ovk__schedule *schedule_of(const machine *m, int rank)
{
  return &m->ranks[rank].schedule;
}

static void check_reduce_scatter(int n, int window)
{
  scoped_machine *m = machine_make(n);
  shares s = shares_common(n);
  int messages = 0;
  for (int rank = 0; rank < n; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, s.length);
    machine_give(m, rank, OVK_OUTPUT, s.list[rank].count + 1);
    for (int k = 0; k < n; k++) shares_fill(send + s.list[k].first, rank, k, s.list[k].count);
    if (s.list[rank].count) messages += n - 1;
    assert_ok(window == RING ? ovk__schedule_reduce_scatter_ring(test_ctx(), n, rank, s.list,
                                                                 schedule_of(m, rank))
                             : ovk__schedule_reduce_scatter(test_ctx(), n, rank, s.list, window,
                                                            schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    const size_t count = s.list[rank].count;
    for (size_t i = 0; i < count; i++) {
      double sum = 0; /* of integers: exact */
      for (int from = 0; from < n; from++) sum += share_element(from, rank, i);
      assert_true(receive[i] == sum);
    }
    shares_check_untouched(receive + count, 1);
  }
  assert_int_equal(m->nmessages, messages);
  free(s.list);
}

/* Not commutative: only the right order gives 0123... */
static double append(double to, double from)
{
  return 10 * to + from;
}

static void check_order(int window)
{
  enum { N = 7 };
  scoped_machine *m = machine_make(N);
  m->combine = append;
  ovk__segment list[N];
  for (int k = 0; k < N; k++) list[k] = (ovk__segment){(size_t)k, 1};
  for (int rank = 0; rank < N; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, N);
    machine_give(m, rank, OVK_OUTPUT, 1);
    for (int k = 0; k < N; k++) send[k] = rank + 1;
    assert_ok(
        ovk__schedule_reduce_scatter(test_ctx(), N, rank, list, window, schedule_of(m, rank)));
  }
  machine_run(m, 1);
  for (int rank = 0; rank < N; rank++) {
    assert_true(machine_buffer_of(m, rank, OVK_OUTPUT)[0] == 1234567);
  }
}

TEST(reduce_scatters_combine_each_share_where_it_is_wanted)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    for (int w = 0; w < NWINDOWS; w++) check_reduce_scatter(n, windows[w]);
    check_reduce_scatter(n, RING);
  }
  for (int w = 0; w < NWINDOWS; w++) check_order(windows[w]);
}

/* Ranges of ranks encoded as numbers; only adjacent ranges can be combined. */
enum { BASE = 1000 };

static double range(int first, int last)
{
  return first * BASE + last;
}

static double join(double to, double from)
{
  const int a = (int)to, b = (int)from;
  if (b % BASE + 1 == a / BASE) return range(b / BASE, a % BASE);
  assert_int_equal(a % BASE + 1, b / BASE);
  return range(a / BASE, b % BASE);
}

static void check_scan(int n, size_t count, bool inclusive)
{
  scoped_machine *m = machine_make(n);
  m->combine = join;
  int messages = 0, rounds = n == 1 && inclusive ? 1 : 0;
  for (int rank = 0; rank < n; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, count);
    machine_give(m, rank, OVK_OUTPUT, count + 1);
    for (size_t i = 0; i < count; i++) send[i] = range(rank, rank);
    assert_ok((inclusive ? ovk__schedule_scan : ovk__schedule_exscan)(test_ctx(), n, rank, count,
                                                                      schedule_of(m, rank)));
  }
  for (int distance = 1; distance < n; distance *= 2) {
    rounds++;
    messages += n - distance;
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    const int last = inclusive ? rank : rank - 1;
    for (size_t i = 0; i < count && last >= 0; i++) assert_true(receive[i] == range(0, last));
    shares_check_untouched(last < 0 ? receive : receive + count, last < 0 ? count + 1 : 1);
  }
  assert_int_equal(m->nmessages, count ? messages : 0);
  assert_int_equal(machine_rounds(m), count ? rounds : 0);
}

TEST(scans_combine_neighbors_in_a_logarithm_of_rounds)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    for (size_t count = 0; count < 3; count++) {
      check_scan(n, count, true);
      check_scan(n, count, false);
    }
  }
}
