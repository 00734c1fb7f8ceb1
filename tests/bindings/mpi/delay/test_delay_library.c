/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the preloaded libovk_delay.so: all-reduces give the same results as without it, and do
 * not complete too early. Only lower bounds on times are checked. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "delay.h"
#include "support/clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { TAG = 5, MANY = 40 };

/* An all-reduce in flight; `from` and `to` are its buffers. */
typedef struct sum {
  double from, to, start;
  MPI_Request request;
} sum;

static void begin_sum(sum *s, MPI_Comm comm, double value)
{
  *s = (sum){.from = value * (test_rank + 1), .to = -1, .start = clock_now()};
  MPI_Iallreduce(&s->from, &s->to, 1, MPI_DOUBLE, MPI_SUM, comm, &s->request);
}

static void check(const sum *s, double value)
{
  assert_true(clock_now() - s->start >= latency);
  assert_true(s->to == value * test_size * (test_size + 1) / 2.0);
}

/* A message to the next rank, and one from the rank before: requests[0], requests[1]. */
typedef struct ring {
  int out, in;
} ring;

static void send_around(ring *r, MPI_Request requests[2])
{
  const int next = (test_rank + 1) % test_size, before = (test_rank + test_size - 1) % test_size;
  *r = (ring){test_rank, -1};
  MPI_Irecv(&r->in, 1, MPI_INT, before, TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&r->out, 1, MPI_INT, next, TAG, MPI_COMM_WORLD, &requests[0]);
}

static void check_received(const ring *r, const MPI_Status *status)
{
  const int before = (test_rank + test_size - 1) % test_size;
  assert_int_equal(r->in, before);
  assert_int_equal(status->MPI_SOURCE, before);
  assert_int_equal(status->MPI_TAG, TAG);
}

static atomic_int naps;

/* Intercepts the library's calls as well: it sleeps where ranks share processors. */
__attribute__((visibility("default"))) int nanosleep(const struct timespec *time,
                                                     struct timespec *left)
{
  naps++;
  return clock_nanosleep(CLOCK_MONOTONIC, 0, time, left) ? -1 : 0;
}

static bool wants_one_processor(void)
{
  return getenv("OVK_TEST_ONE_PROCESSOR") != NULL;
}

/* Before MPI_Init, in which the library inspects the node. */
__attribute__((constructor)) static void bind_to_one(void)
{
  cpu_set_t set;
  if (!wants_one_processor() || sched_getaffinity(0, sizeof set, &set)) return;
  for (size_t cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++) {
    if (CPU_ISSET(cpu, &set) && found++ > 0) CPU_CLR(cpu, &set);
  }
  (void)sched_setaffinity(0, sizeof set, &set);
}

TEST(ranks_that_share_processors_sleep)
{
  if (!wants_one_processor() || test_size == 1) skip();
  enum { SUMS = 50 };
  double from = 1, to;
  naps = 0;
  for (int k = 0; k < SUMS && !naps; k++) { /* which wait for no other rank on a busy machine */
    MPI_Allreduce(&from, &to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
  }
  assert_true(naps > 0);
}

TEST(a_blocking_one_takes_as_long)
{
  for (int t = 1; t <= 3; t++) {
    sum s = {.from = t * (test_rank + 1), .start = clock_now()};
    MPI_Allreduce(&s.from, &s.to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(&s, t);
  }
}

TEST(wait_and_test_take_as_long)
{
  sum s;
  begin_sum(&s, MPI_COMM_WORLD, 2);
  MPI_Wait(&s.request, MPI_STATUS_IGNORE);
  assert_true(s.request == MPI_REQUEST_NULL);
  check(&s, 2);
  for (int t = 0; t < 3; t++) {
    int flag = 0;
    begin_sum(&s, MPI_COMM_WORLD, t);
    while (!flag) {
      MPI_Test(&s.request, &flag, MPI_STATUS_IGNORE);
      assert_true((s.request == MPI_REQUEST_NULL) == (flag != 0));
    }
    check(&s, t);
  }
}

TEST(a_look_at_the_status_frees_nothing)
{
  sum s;
  int flag = 0;
  begin_sum(&s, MPI_COMM_WORLD, 1);
  while (!flag) MPI_Request_get_status(s.request, &flag, MPI_STATUS_IGNORE);
  check(&s, 1);
  assert_true(s.request != MPI_REQUEST_NULL);
  MPI_Wait(&s.request, MPI_STATUS_IGNORE);
}

TEST(all_of_several_take_as_long_as_the_last)
{
  for (int t = 0; t < 4; t++) {
    sum a, b;
    ring r;
    MPI_Request requests[5] = {MPI_REQUEST_NULL};
    MPI_Status statuses[5];
    int flag = 0;
    begin_sum(&a, MPI_COMM_WORLD, 3);
    send_around(&r, requests + 1);
    begin_sum(&b, MPI_COMM_WORLD, 4);
    requests[3] = a.request;
    requests[4] = b.request;
    if (t % 2) MPI_Waitall(5, requests, statuses);
    while (t % 2 == 0 && !flag) MPI_Testall(5, requests, &flag, statuses);
    check(&a, 3);
    check(&b, 4);
    check_received(&r, &statuses[2]);
    for (int k = 0; k < 5; k++) assert_true(requests[k] == MPI_REQUEST_NULL);
  }
}

/* Three requests to complete: 1 and 2 are the ring, 3 is the sum. */
typedef struct mixed {
  sum sum;
  ring ring;
  MPI_Request requests[5]; /* the first and the last are null */
  int completed[5];
} mixed;

static void begin_mixed(mixed *m)
{
  *m = (mixed){.requests = {MPI_REQUEST_NULL}};
  begin_sum(&m->sum, MPI_COMM_WORLD, 7);
  send_around(&m->ring, m->requests + 1);
  m->requests[3] = m->sum.request;
  m->requests[4] = MPI_REQUEST_NULL;
}

static void complete_mixed(mixed *m, int index, const MPI_Status *status)
{
  assert_true(index >= 1 && index <= 3);
  assert_true(m->requests[index] == MPI_REQUEST_NULL);
  assert_int_equal(m->completed[index]++, 0);
  if (index == 2) check_received(&m->ring, status);
  if (index == 3) check(&m->sum, 7);
}

TEST(any_of_several_is_each_in_its_time)
{
  for (int t = 0; t < 4; t++) {
    mixed m;
    MPI_Status status;
    int index = -1, flag = 1;
    begin_mixed(&m);
    for (int k = 0; k < 3; k += flag) {
      if (t % 2) MPI_Waitany(5, m.requests, &index, &status);
      if (t % 2 == 0) MPI_Testany(5, m.requests, &index, &flag, &status);
      if (flag) complete_mixed(&m, index, &status);
    }
    MPI_Testany(5, m.requests, &index, &flag, &status); /* all are null */
    assert_true(flag && index == MPI_UNDEFINED);
    MPI_Waitany(5, m.requests, &index, &status);
    assert_int_equal(index, MPI_UNDEFINED);
  }
}

TEST(some_of_several_are_each_in_their_time)
{
  for (int t = 0; t < 4; t++) {
    mixed m;
    MPI_Status statuses[5];
    int indices[5], count = 0;
    begin_mixed(&m);
    for (int k = 0; k < 3; k += count) {
      if (t % 2) MPI_Waitsome(5, m.requests, &count, indices, statuses);
      if (t % 2 == 0) MPI_Testsome(5, m.requests, &count, indices, statuses);
      assert_true(count >= t % 2 && count <= 3 - k);
      for (int n = 0; n < count; n++) complete_mixed(&m, indices[n], &statuses[n]);
    }
    MPI_Testsome(5, m.requests, &count, indices, statuses);
    assert_int_equal(count, MPI_UNDEFINED);
    MPI_Waitsome(5, m.requests, &count, indices, statuses);
    assert_int_equal(count, MPI_UNDEFINED);
  }
}

TEST(many_are_in_flight)
{
  static sum sums[MANY];
  MPI_Request requests[MANY];
  for (int k = 0; k < MANY; k++) {
    begin_sum(&sums[k], MPI_COMM_WORLD, k);
    requests[k] = sums[k].request;
  }
  for (int k = 0; k < MANY / 2; k++) {
    int index;
    MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE);
    check(&sums[index], index);
  }
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < MANY; k++) check(&sums[k], k);
}

TEST(a_null_request_is_complete)
{
  sum s;
  MPI_Request null = MPI_REQUEST_NULL;
  MPI_Status status;
  int flag = 0, index = 0;
  begin_sum(&s, MPI_COMM_WORLD, 1); /* now look-ups take place */
  MPI_Wait(&null, &status);
  assert_int_equal(status.MPI_SOURCE, MPI_ANY_SOURCE);
  MPI_Test(&null, &flag, MPI_STATUS_IGNORE);
  assert_true(flag);
  MPI_Waitany(1, &null, &index, MPI_STATUS_IGNORE);
  assert_int_equal(index, MPI_UNDEFINED);
  MPI_Waitall(1, &null, MPI_STATUSES_IGNORE);
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Wait(&s.request, MPI_STATUS_IGNORE);
  check(&s, 1);
}

/* The reductions of each thread use a separate communicator. */
static void *sum_in_thread(void *comm)
{
  for (int t = 0; t < 5; t++) {
    sum s;
    int flag = 0;
    begin_sum(&s, *(MPI_Comm *)comm, t + 1);
    if (t % 2) MPI_Wait(&s.request, MPI_STATUS_IGNORE);
    while (t % 2 == 0 && !flag) MPI_Test(&s.request, &flag, MPI_STATUS_IGNORE);
    if (clock_now() - s.start < latency) return comm;
    if (s.to != (t + 1) * test_size * (test_size + 1) / 2.0) return comm;
  }
  return NULL;
}

TEST(threads_do_not_disturb_each_other)
{
  enum { THREADS = 4 };
  MPI_Comm comms[THREADS];
  pthread_t threads[THREADS];
  int level;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) skip();
  for (int k = 0; k < THREADS; k++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
    assert_int_equal(pthread_create(&threads[k], NULL, sum_in_thread, &comms[k]), 0);
  }
  void *failed[THREADS];
  for (int k = 0; k < THREADS; k++) pthread_join(threads[k], &failed[k]);
  for (int k = 0; k < THREADS; k++) {
    assert_null(failed[k]);
    MPI_Comm_free(&comms[k]);
  }
}

/* How a list of requests is completed. Without MPI_Waitall: with threads, that of Open MPI may hang
 * after an error. */
typedef enum way { TEST_SOME, WAIT_SOME, TEST_ANY, WAIT_ANY, TEST_ALL, NWAYS } way;

#define CALL(preloaded, name, ...) (preloaded ? name(__VA_ARGS__) : P##name(__VA_ARGS__))

/* Completes some of n requests; repeats until at least one is complete. */
static int complete_some(bool preloaded, way w, int n, MPI_Request *requests)
{
  int flag = 0, err = MPI_SUCCESS, index, indices[4];
  MPI_Status statuses[4];
  while (!err && !flag) {
    if (w == TEST_SOME) err = CALL(preloaded, MPI_Testsome, n, requests, &flag, indices, statuses);
    if (w == WAIT_SOME) err = CALL(preloaded, MPI_Waitsome, n, requests, &flag, indices, statuses);
    if (w == TEST_ANY) err = CALL(preloaded, MPI_Testany, n, requests, &index, &flag, statuses);
    if (w == WAIT_ANY) err = CALL(preloaded, MPI_Waitany, n, requests, &index, statuses);
    if (w == TEST_ALL) err = CALL(preloaded, MPI_Testall, n, requests, &flag, statuses);
    if (w == WAIT_ANY) flag = 1;
  }
  return err;
}

/* A message longer than its receiver expects, while an all-reduce is in flight: the class of the
 * error, and which handles are null afterwards. */
static int receive_too_much(bool preloaded, way w, MPI_Comm comm, bool null[2])
{
  const int next = (test_rank + 1) % test_size, before = (test_rank + test_size - 1) % test_size;
  int out[4] = {1, 2, 3, 4}, in = 0, class;
  double from = test_rank, to = -1;
  MPI_Request requests[2], sent;
  (void)CALL(preloaded, MPI_Iallreduce, &from, &to, 1, MPI_DOUBLE, MPI_SUM, comm, &requests[0]);
  MPI_Irecv(&in, 1, MPI_INT, before, TAG, comm, &requests[1]);
  MPI_Isend(out, 4, MPI_INT, next, TAG, comm, &sent);
  int err = MPI_SUCCESS;
  while (!err && requests[1] != MPI_REQUEST_NULL) err = complete_some(preloaded, w, 2, requests);
  for (int k = 0; k < 2; k++) null[k] = requests[k] == MPI_REQUEST_NULL;
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  assert_true(to == test_size * (test_size - 1) / 2.0);
  MPI_Error_class(err, &class);
  return class;
}

/* Where completion of the all-reduce depends on timing, it is not checked. */
TEST(an_error_leaves_the_handles_that_the_mpi_leaves)
{
  SCOPED(MPI_Comm_free) MPI_Comm comm = MPI_COMM_NULL;
  if (test_size == 1) skip(); /* some MPIs do not report truncation of messages to oneself */
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  /* Some MPIs use these error handlers for calls with several requests. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (way w = 0; w < NWAYS; w++) {
    bool null[2][2];
    const int class = receive_too_much(false, w, comm, null[0]);
    assert_int_not_equal(class, MPI_SUCCESS);
    if (receive_too_much(true, w, comm, null[1]) != class || null[0][1] != null[1][1]) {
      fail_msg("way %d: handle null %d, without the library %d, class %d", w, null[1][1],
               null[0][1], class);
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

TEST_GROUP(read_delay, NULL)
