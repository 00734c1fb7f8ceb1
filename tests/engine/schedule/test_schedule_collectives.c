/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of the collective operations without levels, of all ranks in one process: results are
 * right, nothing else is written, the schedule is free of races and deadlocks (see
 * schedule_machine.h), and the numbers of messages and rounds agree with theory. */
#include "comm/engine/schedule/algorithms/collectives.h"
#include "support/comm/schedule_machine.h"
#include "support/problem.h"
#include "support/test_main.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_RANKS = 70 };

static const int windows[] = {OVK__NO_WINDOW, 1, 2, 6};
enum { NWINDOWS = sizeof windows / sizeof *windows };

/* How many elements rank `from` has for rank `to`; may be 0. */
static size_t count_of(int from, int to)
{
  return (size_t)(3 * from + 5 * to) % 4;
}

static double element(int from, int to, size_t i)
{
  return from * 1e6 + to * 1e3 + (double)i;
}

/* Segments with gaps between them, in reverse order. */
typedef struct shares {
  ovk__segment *list;
  size_t length; /* of a buffer that has them all */
} shares;

static shares make_shares(int n, int rank, bool outgoing)
{
  shares s = {.list = malloc((size_t)n * sizeof *s.list)};
  assert_non_null(s.list);
  for (int k = n - 1; k >= 0; k--) {
    s.list[k] = (ovk__segment){s.length, outgoing ? count_of(rank, k) : count_of(k, rank)};
    s.length += s.list[k].count + 1;
  }
  return s;
}

/* Shares that do not depend on the rank: rank 0's. */
static shares common_shares(int n)
{
  return make_shares(n, 0, false);
}

static void fill(double *at, int from, int to, size_t count)
{
  for (size_t i = 0; i < count; i++) at[i] = element(from, to, i);
}

static void check(const double *at, int from, int to, size_t count)
{
  for (size_t i = 0; i < count; i++) assert_true(at[i] == element(from, to, i));
}

static void check_untouched(const double *at, size_t count)
{
  for (size_t i = 0; i < count; i++) assert_true(isnan(at[i]));
}

/* Checks the share from each rank, and that the gaps are unchanged. `to` may differ from rank to
 * rank. */
static void check_shares(const double *at, const shares *s, int n, int to)
{
  for (int from = 0; from < n; from++) {
    check(at + s->list[from].first, from, to, s->list[from].count);
    check_untouched(at + s->list[from].first + s->list[from].count, 1);
  }
}

static int divide_up(int a, int b)
{
  return a / b + (a % b > 0);
}

/* Number of rounds for n - 1 steps; a local copy alone takes one round. */
static int rounds_of_steps(int n, int window)
{
  if (window == OVK__NO_WINDOW || n == 1) return 1;
  return divide_up(n - 1, window);
}

static ovk__schedule *schedule_of(const machine *m, int rank)
{
  return &m->ranks[rank].schedule;
}

/* Number of non-empty shares other than that of `rank`. */
static int count_nonempty(const shares *s, int n, int rank)
{
  int nonempty = 0;
  for (int k = 0; k < n; k++) nonempty += k != rank && s->list[k].count > 0;
  return nonempty;
}

static void check_gather(int n, int root, int window)
{
  machine *m = machine_make(n);
  shares s = make_shares(n, root, false);
  for (int rank = 0; rank < n; rank++) {
    const size_t count = count_of(rank, root);
    fill(machine_give(m, rank, OVK_INPUT, count), rank, root, count);
    if (rank == root) machine_give(m, rank, OVK_OUTPUT, s.length);
    assert_ok(ovk__schedule_gather(test_ctx(), n, rank, root, count, rank == root ? s.list : NULL,
                                   window, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  check_shares(machine_buffer_of(m, root, OVK_OUTPUT), &s, n, root);
  assert_int_equal(m->nmessages, count_nonempty(&s, n, root));
  assert_true(machine_rounds(m) <= rounds_of_steps(n, window));
  machine_free(m);
  free(s.list);
}

static void check_scatter(int n, int root, int window)
{
  machine *m = machine_make(n);
  shares s = make_shares(n, root, true);
  double *send = machine_give(m, root, OVK_INPUT, s.length);
  for (int rank = 0; rank < n; rank++) {
    fill(send + s.list[rank].first, root, rank, s.list[rank].count);
    machine_give(m, rank, OVK_OUTPUT, s.list[rank].count + 1);
    assert_ok(ovk__schedule_scatter(test_ctx(), n, rank, root, s.list[rank].count,
                                    rank == root ? s.list : NULL, window, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    check(receive, root, rank, s.list[rank].count);
    check_untouched(receive + s.list[rank].count, 1);
  }
  assert_int_equal(m->nmessages, count_nonempty(&s, n, root));
  assert_true(machine_rounds(m) <= rounds_of_steps(n, window));
  machine_free(m);
  free(s.list);
}

TEST(shares_of_a_root_travel_once_within_the_window)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    const int roots[] = {0, n / 2, n - 1};
    for (int k = 0; k < 3; k++) {
      for (int w = 0; w < NWINDOWS; w++) {
        check_gather(n, roots[k], windows[w]);
        check_scatter(n, roots[k], windows[w]);
      }
    }
  }
}

enum { RING = -1, BRUCK = -2 }; /* instead of a window */

static int rounds_of_bruck(int n)
{
  int rounds = 0;
  for (int reached = 1; reached < n; reached *= 2) rounds++;
  return rounds;
}

static void check_allgather(int n, int window)
{
  machine *m = machine_make(n);
  shares s = common_shares(n);
  int messages = 0;
  for (int rank = 0; rank < n; rank++) {
    const size_t count = s.list[rank].count;
    fill(machine_give(m, rank, OVK_INPUT, count), rank, 0, count);
    machine_give(m, rank, OVK_OUTPUT, s.length);
    if (count) messages += n - 1;
    assert_ok(
        window == BRUCK
            ? ovk__schedule_allgather_bruck(test_ctx(), n, rank, s.list, schedule_of(m, rank))
        : window == RING
            ? ovk__schedule_allgather_ring(test_ctx(), n, rank, s.list, schedule_of(m, rank))
            : ovk__schedule_allgather(test_ctx(), n, rank, s.list, window, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    check_shares(machine_buffer_of(m, rank, OVK_OUTPUT), &s, n, 0);
  }
  if (window == BRUCK) {
    assert_true(m->nmessages <= n * rounds_of_bruck(n));
    assert_true(machine_rounds(m) <= 1 + rounds_of_bruck(n));
  } else {
    assert_int_equal(m->nmessages, messages);
    assert_true(machine_rounds(m) <= (window == RING ? n : rounds_of_steps(n, window)));
  }
  machine_free(m);
  free(s.list);
}

static void check_alltoall(int n, int window)
{
  machine *m = machine_make(n);
  int messages = 0;
  for (int rank = 0; rank < n; rank++) {
    shares to = make_shares(n, rank, true), from = make_shares(n, rank, false);
    double *send = machine_give(m, rank, OVK_INPUT, to.length);
    machine_give(m, rank, OVK_OUTPUT, from.length);
    for (int k = 0; k < n; k++) fill(send + to.list[k].first, rank, k, to.list[k].count);
    messages += count_nonempty(&to, n, rank);
    assert_ok(ovk__schedule_alltoall(test_ctx(), n, rank, to.list, from.list, window,
                                     schedule_of(m, rank)));
    free(to.list);
    free(from.list);
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    shares from = make_shares(n, rank, false);
    check_shares(machine_buffer_of(m, rank, OVK_OUTPUT), &from, n, rank);
    free(from.list);
  }
  assert_int_equal(m->nmessages, messages);
  assert_true(machine_rounds(m) <= rounds_of_steps(n, window));
  machine_free(m);
}

/* With all shares non-empty: the bound on rounds is attained. */
static void check_full_alltoall(int n, int window)
{
  machine *m = machine_make(n);
  ovk__segment *list = malloc((size_t)n * sizeof *list);
  assert_non_null(list);
  for (int k = 0; k < n; k++) list[k] = (ovk__segment){(size_t)k, 1};
  for (int rank = 0; rank < n; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, (size_t)n);
    machine_give(m, rank, OVK_OUTPUT, (size_t)n);
    for (int k = 0; k < n; k++) fill(send + k, rank, k, 1);
    assert_ok(
        ovk__schedule_alltoall(test_ctx(), n, rank, list, list, window, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    for (int k = 0; k < n; k++) check(receive + k, k, rank, 1);
  }
  assert_int_equal(m->nmessages, n * (n - 1));
  assert_int_equal(machine_rounds(m), rounds_of_steps(n, window));
  machine_free(m);
  free(list);
}

/* Shares of equal length, for senders and receivers in opposite orders. */
static void check_bruck_alltoall(int n, size_t count)
{
  machine *m = machine_make(n);
  ovk__segment *to = malloc((size_t)n * sizeof *to), *from = malloc((size_t)n * sizeof *from);
  assert_true(to && from);
  for (int k = 0; k < n; k++) {
    to[k] = (ovk__segment){(size_t)k * count, count};
    from[k] = (ovk__segment){(size_t)(n - 1 - k) * count, count};
  }
  for (int rank = 0; rank < n; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, (size_t)n * count);
    machine_give(m, rank, OVK_OUTPUT, (size_t)n * count);
    for (int k = 0; k < n; k++) fill(send + to[k].first, rank, k, count);
    assert_ok(ovk__schedule_alltoall_bruck(test_ctx(), n, rank, to, from, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    for (int k = 0; k < n; k++) check(receive + from[k].first, k, rank, count);
  }
  assert_int_equal(m->nmessages, count ? n * rounds_of_bruck(n) : 0);
  machine_free(m);
  free(to);
  free(from);
}

TEST(few_rounds_move_short_shares)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    check_allgather(n, BRUCK);
    for (size_t count = 0; count < 3; count++) check_bruck_alltoall(n, count);
  }
}

TEST(shares_of_all_travel_once_within_the_window)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    for (int w = 0; w < NWINDOWS; w++) {
      check_allgather(n, windows[w]);
      check_alltoall(n, windows[w]);
      check_full_alltoall(n, windows[w]);
    }
    check_allgather(n, RING);
  }
}

static void check_reduce_scatter(int n, int window)
{
  machine *m = machine_make(n);
  shares s = common_shares(n);
  int messages = 0;
  for (int rank = 0; rank < n; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, s.length);
    machine_give(m, rank, OVK_OUTPUT, s.list[rank].count + 1);
    for (int k = 0; k < n; k++) fill(send + s.list[k].first, rank, k, s.list[k].count);
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
      for (int from = 0; from < n; from++) sum += element(from, rank, i);
      assert_true(receive[i] == sum);
    }
    check_untouched(receive + count, 1);
  }
  assert_int_equal(m->nmessages, messages);
  machine_free(m);
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
  machine *m = machine_make(N);
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
  machine_free(m);
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
  machine *m = machine_make(n);
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
    check_untouched(last < 0 ? receive : receive + count, last < 0 ? count + 1 : 1);
  }
  assert_int_equal(m->nmessages, count ? messages : 0);
  assert_int_equal(machine_rounds(m), count ? rounds : 0);
  machine_free(m);
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
