/* SPDX-License-Identifier: BSD-2-Clause */
/* The executor: schedules over both channels, late ranks, when buffers may be overwritten,
 * errors. */
#include "comm/engine/channels/channel.h"
#include "comm/engine/engine.h"
#include "comm/engine/schedule/builder.h"
#include "core/job.h"
#include "support/test_main.h"

#include <limits.h>
#include <ovkrylov/comm/schedule.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static MPI_Comm comm = MPI_COMM_NULL; /* the engine's */
static ovk__engine *engine;

enum { POLLS = 1000 }; /* polls, enough to see that nothing happens */

typedef enum channels { ALL_P2P, ALL_SHM, MIXED, NCHANNELS } channels;

/* MIXED: shared memory between ranks that are both even or both odd. */
static ovk__channel channel_to(channels kind, int peer)
{
  if (kind == MIXED) return (test_rank + peer) % 2 ? OVK__P2P : OVK__SHM;
  return kind == ALL_P2P ? OVK__P2P : OVK__SHM;
}

static ovk__builder begin_schedule(ovk__schedule *out)
{
  return ovk__build_begin(test_ctx(), (ovk__group){test_size, test_rank, NULL}, out);
}

/* Every rank sends its output to every other and adds up what it receives. */
static ovk__schedule sum_schedule(channels kind, size_t count)
{
  const ovk_place total = {OVK_OUTPUT, 0};
  ovk__schedule s;
  ovk__builder b = begin_schedule(&s);
  ovk__build_round(&b);
  for (int peer = 0; peer < test_size; peer++) {
    b.channel = channel_to(kind, peer);
    if (peer != test_rank) ovk__build_send(&b, peer, total, count);
  }
  for (int peer = 0; peer < test_size; peer++) {
    b.channel = channel_to(kind, peer);
    const ovk_place part = {OVK_WORK, (size_t)peer * count};
    if (peer != test_rank) ovk__build_receive(&b, peer, part, count);
  }
  for (int peer = 0; peer < test_size; peer++) {
    const ovk_place part = {OVK_WORK, (size_t)peer * count};
    if (peer != test_rank) ovk__build_combine(&b, part, total, count);
  }
  assert_ok(ovk__build_end(&b));
  s.barrier = count > 0;
  return s;
}

/* Rank 0 sends its output to all others: no barrier. */
static ovk__schedule bcast_schedule(ovk__channel channel, size_t count)
{
  const ovk_place data = {OVK_OUTPUT, 0};
  ovk__schedule s;
  ovk__builder b = begin_schedule(&s);
  b.channel = channel;
  ovk__build_round(&b);
  for (int peer = 1; peer < test_size && test_rank == 0; peer++) {
    ovk__build_send(&b, peer, data, count);
  }
  if (test_rank > 0) ovk__build_receive(&b, 0, data, count);
  assert_ok(ovk__build_end(&b));
  return s;
}

/* A barrier by dissemination, of messages without data. */
static ovk__schedule barrier_schedule(ovk__channel channel)
{
  const ovk_place nothing = {OVK_WORK, 0};
  ovk__schedule s;
  ovk__builder b = begin_schedule(&s);
  b.channel = channel;
  for (int distance = 1; distance < test_size; distance *= 2) {
    ovk__build_round(&b);
    ovk__build_send(&b, (test_rank + distance) % test_size, nothing, 0);
    ovk__build_receive(&b, (test_rank + test_size - distance) % test_size, nothing, 0);
  }
  assert_ok(ovk__build_end(&b));
  s.barrier = true;
  return s;
}

static ovk__request *make(const ovk__schedule *schedule, double *data)
{
  ovk__request *request = NULL;
  const ovk__op_desc desc = {.schedule = schedule,
                             .output = data,
                             .element = sizeof *data,
                             .combine = ovk__combine_sum_double};
  assert_ok(ovk__request_create(engine, &desc, false, &request));
  assert_non_null(request);
  return request;
}

static void start(ovk__request *request)
{
  assert_int_equal(ovk__request_start(request), MPI_SUCCESS);
}

static void wait(ovk__request *request)
{
  assert_int_equal(ovk__wait(test_ctx(), 1, ovk__request_advance, request), MPI_SUCCESS);
}

static bool advance(ovk__request *request)
{
  bool complete;
  assert_int_equal(ovk__request_advance(request, &complete), MPI_SUCCESS);
  return complete;
}

/* A bounded wait: false if the request is not complete after `polls` polls. */
static bool completes(ovk__request *request, long polls)
{
  for (long k = 0; k < polls; k++) {
    if (advance(request)) return true;
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
  ovk__schedule s = sum_schedule(kind, count);
  double *data = malloc(count * sizeof *data);
  assert_non_null(data);
  ovk__request *request = make(&s, data);
  for (int t = 0; t < 60; t++) {
    for (size_t i = 0; i < count; i++) data[i] = test_rank + (double)i * t;
    delay_rank(t);
    start(request);
    wait(request);
    assert_true(advance(request)); /* still */
    for (size_t i = 0; i < count; i++) {
      assert_true(data[i] == test_size * (test_size - 1) / 2 + test_size * (double)i * t);
    }
  }
  ovk__request_destroy(&request);
  assert_null(request);
  ovk__schedule_free(&s);
  free(data);
}

static void sums_are_right_over_both_channels_with_late_ranks(void **state)
{
  const size_t counts[] = {1, 7, 100, 5000}; /* copied sends and others; within a line and not */
  for (channels kind = ALL_P2P; kind < NCHANNELS; kind++) {
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) check_sums(kind, counts[k]);
  }
}

/* A barrier; the tests use it to let the other ranks go on. */
static void go(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
}

static void check_barrier(ovk__channel channel)
{
  ovk__schedule s = barrier_schedule(channel);
  ovk__request *request = make(&s, NULL);
  for (int t = 0; t < 20; t++) {
    const bool late = test_rank == t % test_size;
    if (!late) {
      start(request);
      for (int k = 0; k < POLLS / 10; k++) assert_false(test_size > 1 && advance(request));
    }
    go();
    if (late) start(request);
    wait(request);
  }
  ovk__request_destroy(&request);
  ovk__schedule_free(&s);
}

static void messages_without_data_make_a_barrier(void **state)
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
    start(request);
    atomic_fetch_add(&c->begun, 1);
    while (atomic_load(&c->released) < t) sched_yield();
    wait(request);
  } else {
    while (atomic_load(&c->begun) < t * (test_size - 1)) sched_yield();
    start(request);
    const bool complete = completes(request, MANY_LOOKS);
    atomic_store(&c->released, t);
    assert_true(complete);
  }
}

static void check_absent_peers(channels kind)
{
  double data[3];
  ovk__schedule s = sum_schedule(kind, 3);
  ovk__request *request = make(&s, data);
  MPI_Win window;
  counters *c = make_counters(&window);
  for (int t = 1; t <= 10; t++) {
    for (int i = 0; i < 3; i++) data[i] = i;
    meet_absent_peers(request, c, t);
    assert_true(data[0] == 0 && data[1] == test_size && data[2] == 2 * test_size);
  }
  ovk__request_destroy(&request);
  MPI_Win_free(&window);
  ovk__schedule_free(&s);
}

static void a_small_sum_completes_though_its_peers_do_not_look(void **state)
{
  for (channels kind = ALL_P2P; kind < NCHANNELS; kind++) check_absent_peers(kind);
}

/* Rank 0 may be two generations ahead of its readers, but not three. */
static void shared_memory_is_not_overwritten_before_it_is_read(void **state)
{
  double data = 0;
  if (test_size == 1) skip();
  ovk__schedule s = bcast_schedule(OVK__SHM, 1);
  ovk__request *request = make(&s, &data);
  for (int t = 1; t <= 3 && test_rank == 0; t++) {
    data = t;
    start(request);
    for (int k = 0; k < POLLS; k++) assert_true(advance(request) == (t < 3));
  }
  go();
  if (test_rank == 0) wait(request);
  for (int t = 1; t <= 3 && test_rank > 0; t++) {
    start(request);
    wait(request);
    assert_true(data == t);
  }
  ovk__request_destroy(&request);
  ovk__schedule_free(&s);
}

static void check_bcasts(ovk__channel channel, size_t count)
{
  ovk__schedule s = bcast_schedule(channel, count);
  double *data = malloc(count * sizeof *data);
  assert_non_null(data);
  ovk__request *request = make(&s, data);
  for (int t = 0; t < 50; t++) {
    for (size_t i = 0; i < count; i++) data[i] = test_rank ? -1 : t + (double)i;
    delay_rank(t);
    start(request);
    wait(request);
    for (size_t i = 0; i < count; i++) assert_true(data[i] == t + (double)i);
  }
  ovk__request_destroy(&request);
  ovk__schedule_free(&s);
  free(data);
}

static void a_sender_may_change_its_data_after_its_own_wait(void **state)
{
  const size_t counts[] = {1, 9, 5000};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    check_bcasts(OVK__P2P, counts[k]);
    check_bcasts(OVK__SHM, counts[k]);
  }
}

static void different_runs_progress_on_their_own(void **state)
{
  enum { RUNS = 6 };
  ovk__schedule s[RUNS] = {sum_schedule(ALL_P2P, 2),    sum_schedule(ALL_SHM, 3),
                           sum_schedule(MIXED, 4),      bcast_schedule(OVK__P2P, 4),
                           bcast_schedule(OVK__SHM, 4), barrier_schedule(OVK__SHM)};
  double data[RUNS][4];
  ovk__request *requests[RUNS];
  for (int k = 0; k < RUNS; k++) requests[k] = make(&s[k], data[k]);
  for (int t = 0; t < 60; t++) {
    for (int k = 0; k < RUNS; k++) {
      for (int i = 0; i < 4; i++) data[k][i] = k < 3 || test_rank == 0 ? t + k : -1;
      start(requests[k]);
    }
    delay_rank(t);
    for (int k = 0; k < RUNS; k++) wait(requests[(t + k * 5) % RUNS]); /* 5: any order, all */
    for (int k = 0; k < RUNS - 1; k++) assert_true(data[k][0] == (t + k) * (k < 3 ? test_size : 1));
  }
  for (int k = 0; k < RUNS; k++) {
    ovk__request_destroy(&requests[k]);
    ovk__schedule_free(&s[k]);
  }
}

static void a_run_may_end_while_its_peers_are_still_at_it(void **state)
{
  for (int t = 0; t < 30; t++) {
    double data = 1;
    ovk__schedule s = sum_schedule((channels)(t % NCHANNELS), 1);
    ovk__request *request = make(&s, &data);
    start(request);
    delay_rank(t);
    wait(request);
    assert_true(data == test_size);
    ovk__request_destroy(&request);
    ovk__schedule_free(&s);
  }
}

static void sends_of_the_same_data_share_a_copy(void **state)
{
  ovk__schedule s;
  ovk__send_copies copies;
  ovk__builder b = ovk__build_begin(test_ctx(), (ovk__group){8, 0, NULL}, &s);
  double data[4];
  ovk__build_round(&b);
  for (int peer = 1; peer < 4; peer++) ovk__build_send(&b, peer, (ovk_place){OVK_OUTPUT, 1}, 2);
  ovk__build_send(&b, 4, (ovk_place){OVK_OUTPUT, 1}, 1);
  ovk__build_send(&b, 5, (ovk_place){OVK_OUTPUT, 2}, 1);
  ovk__build_round(&b);
  ovk__build_send(&b, 6, (ovk_place){OVK_OUTPUT, 2}, 1); /* may have changed since */
  assert_ok(ovk__build_end(&b));
  const ovk__buffers buffers = {.at = {[OVK_OUTPUT] = (char *)data}, .element = sizeof *data};
  assert_ok(ovk__send_copies_make(test_ctx(), &s, OVK__P2P, sizeof *data, 8, &copies));
  const int of_send[] = {0, 0, 0, 1, 2, 3};
  assert_memory_equal(copies.of_send, of_send, sizeof of_send);
  assert_true(copies.first[0] == 0 && copies.first[1] == 3 && copies.first[2] == 4);
  assert_ptr_equal(ovk__buffers_at(&buffers, copies.list[0].from), data + 1);
  assert_int_equal(copies.list[0].bytes, 2 * sizeof *data);
  assert_int_equal(copies.list[3].offset, 3 * 2 * 64);
  assert_int_equal(copies.bytes, 4 * 2 * 64);
  ovk__send_copies_free(&copies);
  ovk__schedule_free(&s);
}

static void shared_memory_with_another_node_is_an_error(void **state)
{
  const bool last = test_rank == test_size - 1;
  double data = 1;
  ovk__request *request = NULL;
  if (test_size == 1) skip();
  ovk__schedule s = sum_schedule(ALL_SHM, 1);
  const ovk__op_desc desc = {.schedule = &s, .output = &data, .element = sizeof data};
  MPI_Group here = engine->transport.node_group;
  if (last)
    MPI_Comm_group(MPI_COMM_SELF, &engine->transport.node_group); /* as if alone on its node */
  const ovk_err err = ovk__request_create(engine, &desc, false, &request);
  char said[64];
  snprintf(said, sizeof said, "between ranks %d and 0, which share no memory", test_rank);
  if (last) {
    assert_local_error(err, OVK_ERR_UNSUPPORTED, said);
    MPI_Group_free(&engine->transport.node_group);
    engine->transport.node_group = here;
  } else {
    assert_ok(err);
  }
  assert_null(request);
  ovk__schedule_free(&s);
}

static void a_rank_that_has_failed_before_leaves_nobody_behind(void **state)
{
  double data = 1;
  for (channels kind = ALL_P2P; kind < NCHANNELS; kind++) {
    ovk__schedule s = sum_schedule(kind, 1);
    const ovk__op_desc desc = {.schedule = &s, .output = &data, .element = sizeof data};
    ovk__request *request = NULL;
    assert_ok(ovk__request_create(engine, test_rank ? &desc : NULL, test_rank == 0, &request));
    assert_null(request);
    ovk__request_destroy(&request);
    ovk__schedule_free(&s);
  }
}

static void messages_too_large_for_mpi_are_an_error(void **state)
{
  double data = 1;
  ovk__request *request = NULL;
  if (test_size == 1) skip();
  ovk__schedule s = bcast_schedule(OVK__P2P, (size_t)INT_MAX + 1);
  const ovk__op_desc desc = {.schedule = &s, .output = &data, .element = sizeof data};
  assert_error(ovk__request_create(engine, &desc, false, &request), OVK_ERR_RANGE,
               "a message of 2147483648 elements");
  assert_null(request);
  ovk__schedule_free(&s);
}

static int open_engine(void **state)
{
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return (int)ovk__engine_open(test_ctx(), comm, &engine);
}

static int close_engine(void **state)
{
  ovk__engine_close(&engine);
  MPI_Comm_free(&comm);
  return 0;
}

/* Each rank has reserved a different tag; when numbers wrap around, all ranks skip all of these. */
static void tags_in_use_are_left_out(void **state)
{
  enum { TAGS = 32768, KEPT = 2, BEFORE = 5 };
  ovk__tags tags = {.next = TAGS - BEFORE};
  ovk__tag own;
  assert_int_equal(ovk__tag_use(&tags, &own, KEPT + test_rank), KEPT + test_rank);
  for (int k = 0; k < BEFORE + KEPT + 3; k++) {
    int64_t number = -1;
    assert_ok(ovk__tags_deal(test_ctx(), comm, &tags, &number));
    const int skipped = k < BEFORE + KEPT ? 0 : test_size;
    assert_int_equal(number, TAGS - BEFORE + k + skipped);
  }
  ovk__tag_free(&tags, &own);
  assert_null(tags.used);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_right_over_both_channels_with_late_ranks),
      cmocka_unit_test(messages_without_data_make_a_barrier),
      cmocka_unit_test(a_small_sum_completes_though_its_peers_do_not_look),
      cmocka_unit_test(shared_memory_is_not_overwritten_before_it_is_read),
      cmocka_unit_test(a_sender_may_change_its_data_after_its_own_wait),
      cmocka_unit_test(different_runs_progress_on_their_own),
      cmocka_unit_test(a_run_may_end_while_its_peers_are_still_at_it),
      cmocka_unit_test(sends_of_the_same_data_share_a_copy),
      cmocka_unit_test(shared_memory_with_another_node_is_an_error),
      cmocka_unit_test(a_rank_that_has_failed_before_leaves_nobody_behind),
      cmocka_unit_test(messages_too_large_for_mpi_are_an_error),
      cmocka_unit_test(tags_in_use_are_left_out),
  };
  return cmocka_run_group_tests(tests, open_engine, close_engine);
}
