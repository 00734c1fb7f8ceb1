/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of the collective operations without levels that move data, of all ranks in one
 * process: results are right, nothing else is written, the schedule is free of races and deadlocks
 * (see schedule_machine.h), and the numbers of messages and rounds agree with theory. */
#include "schedule_shares.h"
#include "support/problem.h"

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
  scoped_machine *m = machine_make(n);
  shares s = shares_make(n, root, false);
  for (int rank = 0; rank < n; rank++) {
    const size_t count = share_count(rank, root);
    shares_fill(machine_give(m, rank, OVK_INPUT, count), rank, root, count);
    if (rank == root) machine_give(m, rank, OVK_OUTPUT, s.length);
    assert_ok(ovk__schedule_gather(test_ctx(), n, rank, root, count, rank == root ? s.list : NULL,
                                   window, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  shares_check_all(machine_buffer_of(m, root, OVK_OUTPUT), &s, n, root);
  assert_int_equal(m->nmessages, count_nonempty(&s, n, root));
  assert_true(machine_rounds(m) <= rounds_of_steps(n, window));
  free(s.list);
}

static void check_scatter(int n, int root, int window)
{
  scoped_machine *m = machine_make(n);
  shares s = shares_make(n, root, true);
  double *send = machine_give(m, root, OVK_INPUT, s.length);
  for (int rank = 0; rank < n; rank++) {
    shares_fill(send + s.list[rank].first, root, rank, s.list[rank].count);
    machine_give(m, rank, OVK_OUTPUT, s.list[rank].count + 1);
    assert_ok(ovk__schedule_scatter(test_ctx(), n, rank, root, s.list[rank].count,
                                    rank == root ? s.list : NULL, window, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    shares_check(receive, root, rank, s.list[rank].count);
    shares_check_untouched(receive + s.list[rank].count, 1);
  }
  assert_int_equal(m->nmessages, count_nonempty(&s, n, root));
  assert_true(machine_rounds(m) <= rounds_of_steps(n, window));
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

enum { BRUCK = -2 }; /* instead of a window */

static int rounds_of_bruck(int n)
{
  int rounds = 0;
  for (int reached = 1; reached < n; reached *= 2) rounds++;
  return rounds;
}

static void check_allgather(int n, int window)
{
  scoped_machine *m = machine_make(n);
  shares s = shares_common(n);
  int messages = 0;
  for (int rank = 0; rank < n; rank++) {
    const size_t count = s.list[rank].count;
    shares_fill(machine_give(m, rank, OVK_INPUT, count), rank, 0, count);
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
    shares_check_all(machine_buffer_of(m, rank, OVK_OUTPUT), &s, n, 0);
  }
  if (window == BRUCK) {
    assert_true(m->nmessages <= n * rounds_of_bruck(n));
    assert_true(machine_rounds(m) <= 1 + rounds_of_bruck(n));
  } else {
    assert_int_equal(m->nmessages, messages);
    assert_true(machine_rounds(m) <= (window == RING ? n : rounds_of_steps(n, window)));
  }
  free(s.list);
}

static void check_alltoall(int n, int window)
{
  scoped_machine *m = machine_make(n);
  int messages = 0;
  for (int rank = 0; rank < n; rank++) {
    shares to = shares_make(n, rank, true), from = shares_make(n, rank, false);
    double *send = machine_give(m, rank, OVK_INPUT, to.length);
    machine_give(m, rank, OVK_OUTPUT, from.length);
    for (int k = 0; k < n; k++) shares_fill(send + to.list[k].first, rank, k, to.list[k].count);
    messages += count_nonempty(&to, n, rank);
    assert_ok(ovk__schedule_alltoall(test_ctx(), n, rank, to.list, from.list, window,
                                     schedule_of(m, rank)));
    free(to.list);
    free(from.list);
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    shares from = shares_make(n, rank, false);
    shares_check_all(machine_buffer_of(m, rank, OVK_OUTPUT), &from, n, rank);
    free(from.list);
  }
  assert_int_equal(m->nmessages, messages);
  assert_true(machine_rounds(m) <= rounds_of_steps(n, window));
}

/* With all shares non-empty: the bound on rounds is attained. */
static void check_full_alltoall(int n, int window)
{
  scoped_machine *m = machine_make(n);
  scoped_array ovk__segment *list = new_memory((size_t)n * sizeof *list);
  for (int k = 0; k < n; k++) list[k] = (ovk__segment){(size_t)k, 1};
  for (int rank = 0; rank < n; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, (size_t)n);
    machine_give(m, rank, OVK_OUTPUT, (size_t)n);
    for (int k = 0; k < n; k++) shares_fill(send + k, rank, k, 1);
    assert_ok(
        ovk__schedule_alltoall(test_ctx(), n, rank, list, list, window, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    for (int k = 0; k < n; k++) shares_check(receive + k, k, rank, 1);
  }
  assert_int_equal(m->nmessages, n * (n - 1));
  assert_int_equal(machine_rounds(m), rounds_of_steps(n, window));
}

/* Shares of equal length, for senders and receivers in opposite orders. */
static void check_bruck_alltoall(int n, size_t count)
{
  scoped_machine *m = machine_make(n);
  scoped_array ovk__segment *to = new_memory((size_t)n * sizeof *to),
                            *from = new_memory((size_t)n * sizeof *from);
  for (int k = 0; k < n; k++) {
    to[k] = (ovk__segment){(size_t)k * count, count};
    from[k] = (ovk__segment){(size_t)(n - 1 - k) * count, count};
  }
  for (int rank = 0; rank < n; rank++) {
    double *send = machine_give(m, rank, OVK_INPUT, (size_t)n * count);
    machine_give(m, rank, OVK_OUTPUT, (size_t)n * count);
    for (int k = 0; k < n; k++) shares_fill(send + to[k].first, rank, k, count);
    assert_ok(ovk__schedule_alltoall_bruck(test_ctx(), n, rank, to, from, schedule_of(m, rank)));
  }
  machine_run(m, (uint64_t)n);
  for (int rank = 0; rank < n; rank++) {
    const double *receive = machine_buffer_of(m, rank, OVK_OUTPUT);
    for (int k = 0; k < n; k++) shares_check(receive + from[k].first, k, rank, count);
  }
  assert_int_equal(m->nmessages, count ? n * rounds_of_bruck(n) : 0);
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
