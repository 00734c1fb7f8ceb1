/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_delay.so, which is preloaded, and persistent all-reduces: a program of its own, as not
 * every MPI has them. Of times only lower bounds are looked at. */
#include "support/test_main.h"

#include <stdlib.h>

static double latency; /* seconds */

/* Two sums and a message that a rank sends itself. */
typedef struct work {
  double from[2], to[2];
  int out, in;
  MPI_Request requests[4];
} work;

static void make(work *w)
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

static void every_start_is_delayed(void **state)
{
  (void)state;
  work w = {.in = -1};
  make(&w);
  for (int t = 0; t < 4; t++) {
    const double start = MPI_Wtime();
    int flag = 0;
    w.from[0] = t + test_rank;
    MPI_Start(&w.requests[0]);
    if (t % 2) MPI_Wait(&w.requests[0], MPI_STATUS_IGNORE);
    while (t % 2 == 0 && !flag) MPI_Test(&w.requests[0], &flag, MPI_STATUS_IGNORE);
    assert_true(MPI_Wtime() - start >= latency);
    assert_true(w.requests[0] != MPI_REQUEST_NULL);
    check(&w, 0, t);
    MPI_Test(&w.requests[0], &flag, MPI_STATUS_IGNORE); /* not under way */
    assert_true(flag);
  }
  for (int k = 0; k < 4; k++) MPI_Request_free(&w.requests[k]);
}

static void started_together_they_complete_in_any_way(void **state)
{
  (void)state;
  work w = {.in = -1};
  make(&w);
  for (int t = 0; t < 6; t++) {
    const double start = MPI_Wtime();
    w.out = t;
    w.in = -1;
    for (int k = 0; k < 2; k++) w.from[k] = t + k + test_rank;
    MPI_Startall(4, w.requests);
    for (int k = 0, n = 1; k < 4; k += n) {
      int indices[4];
      if (t % 3 == 0) MPI_Waitany(4, w.requests, indices, MPI_STATUS_IGNORE);
      if (t % 3 == 1) MPI_Waitsome(4, w.requests, &n, indices, MPI_STATUSES_IGNORE);
      if (t % 3 == 2) MPI_Waitall(4, w.requests, MPI_STATUSES_IGNORE);
      for (int i = 0; t % 3 < 2 && i < n; i++) {
        assert_true(indices[i] >= 2 || MPI_Wtime() - start >= latency);
      }
      if (t % 3 == 2) n = 4;
    }
    assert_true(MPI_Wtime() - start >= latency);
    for (int k = 0; k < 2; k++) check(&w, k, t + k);
    assert_int_equal(w.in, t);
  }
  for (int k = 0; k < 4; k++) MPI_Request_free(&w.requests[k]);
}

int run_all_tests(void)
{
  const char *us = getenv("OVK_DELAY_US");
  if (!us) return 1; /* the test is one of the library */
  latency = 1e-6 * atof(us);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_start_is_delayed),
      cmocka_unit_test(started_together_they_complete_in_any_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
