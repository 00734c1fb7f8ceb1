/* SPDX-License-Identifier: BSD-2-Clause */
/* The executor: schedules over both channels, late ranks, and when buffers may be overwritten. */
#include "executor_case.h"
#include "support/test_main.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { POLLS = 1000 }; /* polls, enough to see that nothing happens */

/* A bounded wait: false if the request is not complete after `polls` polls. */
static bool completes(ovk__request *request, long polls)
{
  for (long k = 0; k < polls; k++) {
    if (advance_request(request)) return true;
    sched_yield();
  }
  return false;
}

static void delay_rank(int t)
{
  if (t % 7 == test_rank) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void check_sums(channels kind, size_t count)
{
  SCOPED(ovk__schedule_free) ovk__schedule s = sum_schedule(kind, count);
  scoped_array double *data = malloc(count * sizeof *data);
  assert_non_null(data);
  ovk__request *request = make_request(&s, data);
  for (int t = 0; t < 60; t++) {
    for (size_t i = 0; i < count; i++) data[i] = test_rank + (double)i * t;
    delay_rank(t);
    start_request(request);
    wait_for(request);
    assert_true(advance_request(request)); /* still */
    for (size_t i = 0; i < count; i++) {
      assert_true(data[i] == test_size * (test_size - 1) / 2 + test_size * (double)i * t);
    }
  }
  ovk__request_destroy(&request);
  assert_null(request);
}

TEST(sums_are_right_over_both_channels_with_late_ranks)
{
  const size_t counts[] = {1, 7, 100, 5000}; /* copied sends and others; within a line and not */
  for (channels kind = ALL_P2P; kind < NCHANNELS; kind++) {
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) check_sums(kind, counts[k]);
  }
}

/* A barrier; the tests use it to let the other ranks continue. */
static void go(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
}

static void check_barrier(ovk__channel channel)
{
  SCOPED(ovk__schedule_free) ovk__schedule s = barrier_schedule(channel);
  SCOPED(ovk__request_destroy) ovk__request *request = make_request(&s, NULL);
  for (int t = 0; t < 20; t++) {
    const bool late = test_rank == t % test_size;
    if (!late) {
      start_request(request);
      for (int k = 0; k < POLLS / 10; k++) assert_false(test_size > 1 && advance_request(request));
    }
    go();
    if (late) start_request(request);
    wait_for(request);
  }
}

TEST(messages_without_data_make_a_barrier)
{
  check_barrier(OVK__P2P);
  check_barrier(OVK__SHM);
}

/* Two counters in memory that all ranks share, independent of MPI. */
typedef struct counters {
  _Atomic int begun, released;
} counters;

static counters *make_counters(MPI_Win *window)
{
  void *start;
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(test_rank ? 0 : sizeof(counters), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                          &start, window);
  MPI_Win_shared_query(*window, 0, &size, &unit, &start);
  counters *c = start;
  if (test_rank == 0) atomic_init(&c->begun, 0);
  if (test_rank == 0) atomic_init(&c->released, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  return c;
}

/* The other ranks begin, and do not call MPI again until rank 0, which begins later, has completed
 * the sum. */
static void meet_absent_peers(ovk__request *request, counters *c, int t)
{
  enum { MANY_LOOKS = 1000000 };
  if (test_rank > 0) {
    start_request(request);
    atomic_fetch_add(&c->begun, 1);
    while (atomic_load(&c->released) < t) sched_yield();
    wait_for(request);
  } else {
    while (atomic_load(&c->begun) < t * (test_size - 1)) sched_yield();
    start_request(request);
    const bool complete = completes(request, MANY_LOOKS);
    atomic_store(&c->released, t);
    assert_true(complete);
  }
}

static void check_absent_peers(channels kind)
{
  double data[3];
  SCOPED(ovk__schedule_free) ovk__schedule s = sum_schedule(kind, 3);
  SCOPED(ovk__request_destroy) ovk__request *request = make_request(&s, data);
  SCOPED(MPI_Win_free) MPI_Win window = MPI_WIN_NULL;
  counters *c = make_counters(&window);
  for (int t = 1; t <= 10; t++) {
    for (int i = 0; i < 3; i++) data[i] = i;
    meet_absent_peers(request, c, t);
    assert_true(data[0] == 0 && data[1] == test_size && data[2] == 2 * test_size);
  }
}

TEST(a_small_sum_completes_though_its_peers_do_not_look)
{
  for (channels kind = ALL_P2P; kind < NCHANNELS; kind++) check_absent_peers(kind);
}

/* Rank 0 may be two generations ahead of its readers, but not three. */
TEST(shared_memory_is_not_overwritten_before_it_is_read)
{
  double data = 0;
  if (test_size == 1) skip();
  SCOPED(ovk__schedule_free) ovk__schedule s = bcast_schedule(OVK__SHM, 1);
  SCOPED(ovk__request_destroy) ovk__request *request = make_request(&s, &data);
  for (int t = 1; t <= 3 && test_rank == 0; t++) {
    data = t;
    start_request(request);
    for (int k = 0; k < POLLS; k++) assert_true(advance_request(request) == (t < 3));
  }
  go();
  if (test_rank == 0) wait_for(request);
  for (int t = 1; t <= 3 && test_rank > 0; t++) {
    start_request(request);
    wait_for(request);
    assert_true(data == t);
  }
}

static void check_bcasts(ovk__channel channel, size_t count)
{
  SCOPED(ovk__schedule_free) ovk__schedule s = bcast_schedule(channel, count);
  scoped_array double *data = new_memory(count * sizeof *data);
  SCOPED(ovk__request_destroy) ovk__request *request = make_request(&s, data);
  for (int t = 0; t < 50; t++) {
    for (size_t i = 0; i < count; i++) data[i] = test_rank ? -1 : t + (double)i;
    delay_rank(t);
    start_request(request);
    wait_for(request);
    for (size_t i = 0; i < count; i++) assert_true(data[i] == t + (double)i);
  }
}

TEST(a_sender_may_change_its_data_after_its_own_wait)
{
  const size_t counts[] = {1, 9, 5000};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    check_bcasts(OVK__P2P, counts[k]);
    check_bcasts(OVK__SHM, counts[k]);
  }
}

TEST(different_runs_progress_on_their_own)
{
  enum { RUNS = 6 };
  ovk__schedule s[RUNS] = {sum_schedule(ALL_P2P, 2),    sum_schedule(ALL_SHM, 3),
                           sum_schedule(MIXED, 4),      bcast_schedule(OVK__P2P, 4),
                           bcast_schedule(OVK__SHM, 4), barrier_schedule(OVK__SHM)};
  double data[RUNS][4];
  ovk__request *requests[RUNS];
  for (int k = 0; k < RUNS; k++) requests[k] = make_request(&s[k], data[k]);
  for (int t = 0; t < 60; t++) {
    for (int k = 0; k < RUNS; k++) {
      for (int i = 0; i < 4; i++) data[k][i] = k < 3 || test_rank == 0 ? t + k : -1;
      start_request(requests[k]);
    }
    delay_rank(t);
    for (int k = 0; k < RUNS; k++) wait_for(requests[(t + k * 5) % RUNS]); /* 5: any order, all */
    for (int k = 0; k < RUNS - 1; k++) assert_true(data[k][0] == (t + k) * (k < 3 ? test_size : 1));
  }
  for (int k = 0; k < RUNS; k++) {
    ovk__request_destroy(&requests[k]);
    ovk__schedule_free(&s[k]);
  }
}

TEST(a_run_may_end_while_its_peers_are_still_at_it)
{
  for (int t = 0; t < 30; t++) {
    double data = 1;
    SCOPED(ovk__schedule_free) ovk__schedule s = sum_schedule((channels)(t % NCHANNELS), 1);
    SCOPED(ovk__request_destroy) ovk__request *request = make_request(&s, &data);
    start_request(request);
    delay_rank(t);
    wait_for(request);
    assert_true(data == test_size);
  }
}

TEST_GROUP(open_engine, close_engine)
