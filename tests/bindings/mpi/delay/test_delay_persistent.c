/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the preloaded libovk_delay.so with persistent all-reduces: a separate program, as not
 * every MPI provides them. Only lower bounds on times are checked. */
#include "delay.h"
#include "support/clock.h"

/* Two sums and a message that a rank sends itself. */
typedef struct work {
  double from[2], to[2];
  int out, in;
  MPI_Request requests[4];
} work;

static void make_work(work *w)
{
  for (int k = 0; k < 2; k++) {
    MPI_Allreduce_init(&w->from[k], &w->to[k], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &w->requests[k]);
  }
  MPI_Send_init(&w->out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &w->requests[2]);
  MPI_Recv_init(&w->in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &w->requests[3]);
}

static void check(const work *w, int k, int t)
{
  assert_true(w->to[k] == t * test_size + test_size * (test_size - 1) / 2.0);
}

TEST(every_start_is_delayed)
{
  work w = {.in = -1};
  make_work(&w);
  for (int t = 0; t < 4; t++) {
    const double start = clock_now();
    int flag = 0;
    w.from[0] = t + test_rank;
    MPI_Start(&w.requests[0]);
    if (t % 2) MPI_Wait(&w.requests[0], MPI_STATUS_IGNORE);
    while (t % 2 == 0 && !flag) MPI_Test(&w.requests[0], &flag, MPI_STATUS_IGNORE);
    assert_true(clock_now() - start >= latency);
    assert_true(w.requests[0] != MPI_REQUEST_NULL);
    check(&w, 0, t);
    MPI_Test(&w.requests[0], &flag, MPI_STATUS_IGNORE); /* not started */
    assert_true(flag);
  }
  for (int k = 0; k < 4; k++) MPI_Request_free(&w.requests[k]);
}

/* One by one, as MPICH 4.0 has an error with lists that contain persistent collectives. */
TEST(started_together_each_is_delayed)
{
  work w = {.in = -1};
  make_work(&w);
  for (int t = 0; t < 4; t++) {
    const double start = clock_now();
    int flag = 0;
    w.out = t;
    for (int k = 0; k < 2; k++) w.from[k] = t + k + test_rank;
    MPI_Startall(4, w.requests);
    MPI_Waitall(2, w.requests + 2, MPI_STATUSES_IGNORE);
    while (!flag) MPI_Test(&w.requests[t % 2], &flag, MPI_STATUS_IGNORE);
    assert_true(clock_now() - start >= latency);
    MPI_Wait(&w.requests[1 - t % 2], MPI_STATUS_IGNORE);
    for (int k = 0; k < 2; k++) check(&w, k, t + k);
    assert_int_equal(w.in, t);
  }
  for (int k = 0; k < 4; k++) MPI_Request_free(&w.requests[k]);
}

TEST_GROUP(read_delay, NULL)
