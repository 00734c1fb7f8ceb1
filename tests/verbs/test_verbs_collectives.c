/* SPDX-License-Identifier: BSD-2-Clause */
/* Guarantees of collective operations over "verbs" beyond those over MPI: windows, writes without
 * action of the receiver, places that are not written before they were read. */
#include "support/clock.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>

static void meet(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
}

/* An all-to-all of `count` numbers per rank. */
typedef struct exchange {
  int count;
  uint64_t *send, *receive;
  ovk_collective *c;
} exchange;

static exchange make_exchange(const char *keys, int count)
{
  char text[VERBS_SPEC_SIZE];
  exchange x = {.count = count};
  const size_t all = (size_t)test_size * (size_t)count;
  x.send = new_zeros(all, sizeof *x.send);
  x.receive = new_zeros(all, sizeof *x.receive);
  assert_ok(ovk_collective_create_alltoall(test_ctx(), verbs_spec(text, keys), x.send, x.receive,
                                           count, sizeof *x.send, &x.c));
  return x;
}

static void free_exchange(exchange *x)
{
  ovk_collective_destroy(&x->c);
  assert_null(x->c);
  free(x->send);
  free(x->receive);
}

/* Number i from one rank to another; all numbers differ. */
static uint64_t number(int from, int to, int time, int i)
{
  const uint64_t ranks = (uint64_t)(from * 64 + to);
  return (ranks * 65536 + (uint64_t)time) * 1000003 + (uint64_t)i;
}

static void begin_exchange(const exchange *x, int time)
{
  for (int to = 0; to < test_size; to++) {
    for (int i = 0; i < x->count; i++) x->send[to * x->count + i] = number(test_rank, to, time, i);
  }
  assert_ok(ovk_collective_begin(x->c));
}

/* Send buffers may be overwritten now; the received values are kept. */
static void end_exchange(const exchange *x, int time)
{
  assert_ok(ovk_collective_wait(x->c));
  memset(x->send, 0xee, (size_t)test_size * (size_t)x->count * sizeof *x->send);
  for (int from = 0; from < test_size; from++) {
    for (int i = 0; i < x->count; i++)
      assert_true(x->receive[from * x->count + i] == number(from, test_rank, time, i));
  }
}

enum { NWINDOWS = 5 };
static const char *const windows[NWINDOWS] = {NULL, "window=1", "window=2", "window=6",
                                              "window=1000"};

TEST(long_messages_arrive_through_all_windows)
{
  enum { MEBI = (1 << 20) / sizeof(uint64_t), TIMES = 3 };
  for (int k = 0; k < NWINDOWS; k++) {
    SCOPED(free_exchange) exchange x = make_exchange(windows[k], MEBI);
    for (int time = 0; time < TIMES; time++) {
      begin_exchange(&x, time);
      end_exchange(&x, time);
    }
  }
}

/* Around the length above which a message is sent as two writes. */
TEST(messages_of_all_lengths_arrive)
{
  for (int count = 0; count < 40; count++) {
    SCOPED(free_exchange) exchange x = make_exchange(windows[count % NWINDOWS], count);
    for (int time = 0; time < 5; time++) {
      begin_exchange(&x, time);
      end_exchange(&x, time);
    }
  }
}

TEST(exchanges_at_once_end_in_any_order)
{
  enum { MOST = 3, TIMES = 30 };
  static const char *const keys[MOST] = {"window=2", NULL, "window=1"};
  static const int counts[MOST] = {1000, 3, 20000};
  exchange x[MOST];
  for (int k = 0; k < MOST; k++) x[k] = make_exchange(keys[k], counts[k]);
  for (int n = 2; n <= MOST; n++) {
    for (int time = 0; time < TIMES; time++) {
      for (int k = 0; k < n; k++) begin_exchange(&x[(k + time) % n], time + k);
      for (int k = 0; k < n; k++) {
        const int which = (test_rank + (test_rank % 2 ? k : n - k)) % n;
        end_exchange(&x[which], time + (which + n - time % n) % n);
      }
    }
  }
  for (int k = 0; k < MOST; k++) free_exchange(&x[k]);
}

TEST(an_exchange_goes_on_while_a_sum_over_mpi_is_waited_for)
{
  SCOPED(free_exchange) exchange x = make_exchange("window=1", 500);
  scoped_reduction *red = new_sum("nbc:alg=doubling", 1);
  for (int time = 0; time < 20; time++) {
    const bool sum_first = (test_rank + time) % 2;
    *ovk_reduction_values(red) = 2;
    assert_ok(ovk_reduction_begin(red));
    begin_exchange(&x, time);
    if (sum_first) assert_ok(ovk_reduction_wait(red));
    end_exchange(&x, time);
    if (!sum_first) assert_ok(ovk_reduction_wait(red));
    assert_true(*ovk_reduction_values(red) == 2 * test_size);
  }
}

/* In turn, ranks are late to begin, or late to wait. */
TEST(nothing_is_overwritten_before_a_slow_rank_has_read_it)
{
  enum { TIMES = 150 };
  for (int k = 0; k < 3; k++) {
    SCOPED(free_exchange) exchange x = make_exchange(windows[k], k ? 5 : 300);
    for (int time = 0; time < TIMES; time++) {
      const bool slow = time / 10 % test_size == test_rank;
      if (slow && time % 2) sleep_for(1e-4);
      begin_exchange(&x, time);
      if (slow && time % 2 == 0) sleep_for(1e-4);
      end_exchange(&x, time);
    }
  }
}

static ovk_collective *make_bcast(double *data)
{
  char text[VERBS_SPEC_SIZE];
  ovk_collective *c = NULL;
  const char *spec = verbs_spec(text, "alg=flat");
  assert_ok(ovk_collective_create_bcast(test_ctx(), spec, data, 1, sizeof *data, 0, &c));
  return c;
}

/* A root has two places for its messages; for a third generation it waits until the first was
 * read. */
TEST(a_root_is_at_most_two_times_ahead)
{
  enum { AHEAD = 2, POLLS = 1000 };
  if (test_size == 1) skip();
  double data = 0;
  scoped_collective *c = make_bcast(&data);
  for (int time = 0; time < 12; time += AHEAD + 1) {
    bool complete = false;
    for (int k = 0; test_rank == 0 && k <= AHEAD; k++) {
      data = time + k;
      assert_ok(ovk_collective_begin(c));
      if (k < AHEAD) assert_ok(ovk_collective_wait(c));
    }
    for (int k = 0; test_rank == 0 && k < POLLS; k++) {
      assert_ok(ovk_collective_test(c, &complete));
      assert_false(complete);
    }
    meet();
    for (int k = 0; test_rank > 0 && k <= AHEAD; k++) {
      assert_ok(ovk_collective_run(c));
      assert_true(data == time + k);
    }
    if (test_rank == 0) assert_ok(ovk_collective_wait(c));
    meet(); /* the root has been notified that the third was read, or will be in its next wait */
    assert_ok(ovk_collective_run(c));
  }
}

/* The root does not call the library before all others have completed. */
TEST(sending_needs_no_action_of_the_receiver)
{
  enum { COUNT = 1 << 17 };
  char text[VERBS_SPEC_SIZE];
  scoped_collective *c = NULL;
  scoped_array double *send = new_zeros(COUNT, sizeof *send);
  scoped_array double *all = new_zeros((size_t)COUNT * (size_t)test_size, sizeof *all);
  assert_ok(ovk_collective_create_gather(test_ctx(), verbs_spec(text, NULL), send, all, COUNT,
                                         sizeof *send, 0, &c));
  for (int time = 0; time < 4; time++) {
    for (int i = 0; i < COUNT; i++) send[i] = time * 100 + test_rank + i;
    if (test_rank) {
      assert_ok(ovk_collective_run(c));
      memset(send, 0xee, COUNT * sizeof *send);
    }
    meet();
    if (test_rank == 0) assert_ok(ovk_collective_run(c));
    for (int i = 0; test_rank == 0 && i < COUNT * test_size; i++)
      assert_true(all[i] == time * 100 + i / COUNT + i % COUNT);
  }
}

/* Repeated, so that one operation reuses the memory of another. */
TEST(an_operation_may_be_destroyed_while_others_are_still_at_it)
{
  for (int time = 0; time < 40; time++) {
    const int late = time % test_size;
    double data = test_rank ? 0 : time;
    ovk_collective *c = make_bcast(&data);
    exchange x = make_exchange("window=2", time % 2 ? 4 : 400);
    if (test_rank == late) sleep_for(3e-4);
    assert_ok(ovk_collective_begin(c));
    begin_exchange(&x, time);
    if (test_rank == late) sleep_for(3e-4);
    assert_ok(ovk_collective_wait(c));
    ovk_collective_destroy(&c);
    assert_true(data == time);
    end_exchange(&x, time);
    free_exchange(&x);
  }
}

TEST(destroying_a_running_operation_waits_for_it)
{
  char text[VERBS_SPEC_SIZE];
  double x = 1, sum = 0;
  ovk_collective *c = NULL;
  assert_ok(ovk_collective_create_allreduce(test_ctx(), verbs_spec(text, NULL), &x, &sum, 1,
                                            OVK_TYPE_DOUBLE, OVK_OP_SUM, &c));
  assert_ok(ovk_collective_begin(c));
  ovk_collective_destroy(&c);
  assert_null(c);
  assert_true(sum == test_size);
}

TEST(a_barrier_ends_only_when_all_have_begun_it)
{
  for (int ways = 1; ways <= 7; ways++) {
    char keys[48], text[VERBS_SPEC_SIZE];
    scoped_collective *c = NULL;
    snprintf(keys, sizeof keys, "ways=%d,window=%d", ways, ways);
    assert_ok(ovk_collective_create_barrier(test_ctx(), verbs_spec(text, keys), &c));
    for (int late = 0; late < test_size; late++) {
      bool complete = false;
      if (test_rank != late) assert_ok(ovk_collective_begin(c));
      for (int k = 0; test_rank != late && k < 50; k++) {
        assert_ok(ovk_collective_test(c, &complete));
        assert_false(complete);
      }
      meet();
      if (test_rank == late) assert_ok(ovk_collective_begin(c));
      assert_ok(ovk_collective_wait(c));
    }
  }
}

TEST(thousands_can_be_made_one_after_the_other)
{
  /* more ranks than cores are slow, and so is an agent that has to be woken for each */
  const int n = test_size > 2 ? 50 : verbs_has_agent() ? 250 : 2500;
  for (int k = 0; k < n; k++) {
    SCOPED(free_exchange) exchange x = make_exchange(NULL, 1);
    if (k % 25 == 0) {
      begin_exchange(&x, k);
      end_exchange(&x, k);
    }
  }
}

/* Looks at it between naps; true: it has become complete. */
static bool completes(ovk_collective *c)
{
  enum { NAPS = 30000 };
  bool complete = false;
  for (int k = 0; k < NAPS && !complete; k++) {
    assert_ok(ovk_collective_test(c, &complete));
    if (!complete) sleep_for(1e-3);
  }
  return complete;
}

/* Ranks look in turn, while the others are blocked outside the library. */
static void complete_without_calls(ovk_collective *c)
{
  assert_ok(ovk_collective_begin(c));
  for (int rank = 0; rank < test_size; rank++) {
    meet();
    if (test_rank == rank) assert_true(completes(c));
  }
  meet();
  assert_ok(ovk_collective_wait(c));
}

TEST(with_agents_operations_complete_while_no_rank_calls_the_library)
{
  if (!verbs_has_agent()) skip();
  enum { TIMES = 5 };
  char text[VERBS_SPEC_SIZE];
  double sent = 0;
  scoped_collective *bcast = NULL;
  SCOPED(free_exchange) exchange x = make_exchange("window=1", 300);
  assert_ok(ovk_collective_create_bcast(test_ctx(), verbs_spec(text, "alg=tree,k=2"), &sent, 1,
                                        sizeof sent, test_size - 1, &bcast));
  for (int time = 0; time < TIMES; time++) {
    sent = is_last() ? time : -1;
    complete_without_calls(bcast);
    assert_true(sent == time);
    complete_without_calls(x.c);
  }
}

TEST_GROUP(skip_without_nic, NULL)
