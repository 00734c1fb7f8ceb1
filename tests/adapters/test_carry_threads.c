/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded, under MPI_THREAD_MULTIPLE: threads with communicators of their own, whose
 * first calls may come at once. All of it is the MPI's; see carry.sh. */
#include "support/test_main.h"

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 60 };

typedef struct worker {
  MPI_Comm comm;
  int wrong;
} worker;

static void *work(void *arg)
{
  worker *w = arg;
  for (int k = 0; k < ROUNDS; k++) {
    const int from = k + test_rank, most = k + test_size - 1;
    int first = -1, second = -1, item = test_rank == 0 ? k : -1;
    double sum = 0, one = 1;
    MPI_Request requests[2];
    MPI_Iallreduce(&from, &first, 1, MPI_INT, MPI_MAX, w->comm, &requests[0]);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, w->comm);
    MPI_Ibcast(&item, 1, MPI_INT, 0, w->comm, &requests[1]);
    MPI_Allreduce(&from, &second, 1, MPI_INT, MPI_MAX, w->comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    w->wrong += first != most || second != most || item != k || (int)sum != test_size;
    if (k % 20 == 0) MPI_Barrier(w->comm);
  }
  return NULL;
}

static void threads_get_their_own_results(void **state)
{
  int level;
  pthread_t threads[THREADS];
  worker workers[THREADS] = {{MPI_COMM_NULL, 0}};
  MPI_Query_thread(&level);
  assert_int_equal(level, MPI_THREAD_MULTIPLE);
  for (int k = 0; k < THREADS; k++) MPI_Comm_dup(MPI_COMM_WORLD, &workers[k].comm);
  for (int k = 0; k < THREADS; k++) {
    assert_int_equal(pthread_create(&threads[k], NULL, work, &workers[k]), 0);
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(threads[k], NULL);
    assert_int_equal(workers[k].wrong, 0);
  }
  for (int k = 0; k < THREADS; k++) MPI_Comm_free(&workers[k].comm);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_get_their_own_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
