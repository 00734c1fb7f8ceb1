/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded, under MPI_THREAD_MULTIPLE: threads with separate communicators, whose
 * first calls may come at once, and threads that complete operations that others have begun. */
#include "support/random.h"
#include "support/test_main.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 4, ROUNDS = 60, LONG = 1000, BEGUN = 12 };

typedef void *work(void *);

/* In a thread each, with an argument each of `size` bytes. */
static void run_threads(work *const works[], int n, void *args, size_t size)
{
  pthread_t threads[MOST_THREADS];
  for (int k = 0; k < n; k++) {
    void *arg = (char *)args + (size_t)k * size;
    assert_int_equal(pthread_create(&threads[k], NULL, works[k], arg), 0);
  }
  for (int k = 0; k < n; k++) pthread_join(threads[k], NULL);
}

static void wait_for(const atomic_int *value, int wanted)
{
  while (atomic_load(value) != wanted) sched_yield();
}

/* The sum of `first + rank`. */
static int total(int first)
{
  return test_size * first + test_size * (test_size - 1) / 2;
}

/* Operations that do not block. */
typedef struct worker {
  MPI_Comm comm;
  dice of_all, own; /* the first is cast alike by all ranks */
  MPI_Request requests[BEGUN];
  int parts[BEGUN], results[BEGUN], expected[BEGUN];
  int begun, wrong;
} worker;

static void begin_one(worker *w, int kind, int root, int first)
{
  const int k = w->begun++;
  w->parts[k] = first + test_rank;
  w->results[k] = kind == 1 && test_rank == root ? first : -1;
  w->expected[k] = kind == 0 ? total(first) : kind == 1 ? first : -1;
  if (kind == 0) {
    MPI_Iallreduce(&w->parts[k], &w->results[k], 1, MPI_INT, MPI_SUM, w->comm, &w->requests[k]);
  } else if (kind == 1) {
    MPI_Ibcast(&w->results[k], 1, MPI_INT, root, w->comm, &w->requests[k]);
  } else {
    MPI_Ibarrier(w->comm, &w->requests[k]);
  }
}

static void block_once(worker *w, int kind, int root, int first)
{
  double part[LONG], sum[LONG];
  int item = test_rank == root ? first : -1;
  for (int k = 0; k < LONG; k++) part[k] = first + test_rank;
  if (kind == 0) {
    MPI_Allreduce(part, sum, 1 + first % LONG, MPI_DOUBLE, MPI_SUM, w->comm);
    w->wrong += (int)sum[first % LONG] != total(first);
  } else if (kind == 1) {
    MPI_Reduce(part, sum, 1, MPI_DOUBLE, MPI_SUM, root, w->comm);
    if (test_rank == root) w->wrong += (int)sum[0] != total(first);
  } else if (kind == 2) {
    MPI_Bcast(&item, 1, MPI_INT, root, w->comm);
    w->wrong += item != first;
  } else {
    MPI_Barrier(w->comm);
  }
}

/* Operations in flight continue. */
static void replace_communicator(worker *w)
{
  MPI_Comm next;
  MPI_Comm_dup(w->comm, &next);
  MPI_Comm_free(&w->comm);
  w->comm = next;
}

/* All of them, in a way and an order of this rank's own. */
static void complete(worker *w)
{
  const int way = dice_below(&w->own, 4);
  for (int k = 0; k < w->begun; k++) {
    int flag = 0, which, count, indices[BEGUN];
    MPI_Request *last = &w->requests[w->begun - 1 - k];
    if (way == 0) MPI_Wait(last, MPI_STATUS_IGNORE);
    while (way == 1 && !flag) MPI_Test(last, &flag, MPI_STATUS_IGNORE);
    if (way == 2) MPI_Waitany(w->begun, w->requests, &which, MPI_STATUS_IGNORE);
    if (way == 3) MPI_Waitsome(w->begun, w->requests, &count, indices, MPI_STATUSES_IGNORE);
  }
  MPI_Waitall(w->begun, w->requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < w->begun; k++) w->wrong += w->results[k] != w->expected[k];
  w->begun = 0;
}

static void *call_at_random(void *arg)
{
  worker *w = arg;
  for (int round = 0; round < ROUNDS; round++) {
    const int kind = dice_below(&w->of_all, 8), root = dice_below(&w->of_all, test_size);
    const int first = dice_below(&w->of_all, 3000);
    if (kind < 4) {
      block_once(w, kind, root, first);
    } else if (kind < 7) {
      begin_one(w, kind - 4, root, first);
    } else if (dice_once_in(&w->of_all, 3)) {
      replace_communicator(w);
    }
    if (w->begun == BEGUN || dice_once_in(&w->own, 6)) complete(w);
  }
  complete(w);
  return NULL;
}

TEST(threads_get_their_own_results)
{
  int level;
  work *works[MOST_THREADS];
  worker workers[MOST_THREADS];
  MPI_Query_thread(&level);
  assert_int_equal(level, MPI_THREAD_MULTIPLE);
  for (int n = 1; n <= MOST_THREADS; n++) {
    for (int k = 0; k < n; k++) {
      const uint64_t seed = (uint64_t)(10 * n + k);
      works[k] = call_at_random;
      workers[k] =
          (worker){.of_all.seed = seed, .own.seed = 100 * (1 + (uint64_t)test_rank) + seed};
      MPI_Comm_dup(MPI_COMM_WORLD, &workers[k].comm);
    }
    run_threads(works, n, workers, sizeof *workers);
    for (int k = 0; k < n; k++) {
      assert_int_equal(workers[k].wrong, 0);
      MPI_Comm_free(&workers[k].comm);
    }
  }
}

static void *call_again(void *arg)
{
  MPI_Comm comm = *(MPI_Comm *)arg;
  for (int k = 0; k < ROUNDS; k++) {
    int sum = 0;
    MPI_Allreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    assert_int_equal(sum, total(0));
  }
  return NULL;
}

/* Rank 0 has a thread for each, which waits until the other one has called. */
TEST(communicators_may_be_used_in_different_orders)
{
  work *const works[] = {call_again, call_again};
  MPI_Comm comms[2];
  for (int k = 0; k < 2; k++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
  if (test_rank == 0) {
    run_threads(works, 2, comms, sizeof *comms);
  } else {
    for (int k = 0; k < 2 * ROUNDS; k++) {
      const int at = (k / 2 + k) % 2;
      int sum = 0;
      MPI_Allreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, comms[at]);
      assert_int_equal(sum, total(0));
    }
  }
  for (int k = 0; k < 2; k++) MPI_Comm_free(&comms[k]);
}

/* The data that two threads share: one begins, the other one completes. */
static struct {
  MPI_Comm comm;
  MPI_Request request;
  int part, result;
  atomic_int begun, completed; /* rounds */
} shared;

/* Rank 0 is in a call that blocks until its other thread has completed the operation. */
static void *begin_for_another(void *arg)
{
  for (int round = 1; round <= ROUNDS; round++) {
    int sum = 0, token;
    shared.part = round + test_rank;
    MPI_Iallreduce(&shared.part, &shared.result, 1, MPI_INT, MPI_SUM, shared.comm, &shared.request);
    atomic_store(&shared.begun, round);
    if (test_rank > 0) MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&shared.part, &sum, 1, MPI_INT, MPI_SUM, shared.comm);
    assert_int_equal(sum, total(round));
    if (round % 8 == 0) {
      MPI_Comm next;
      MPI_Comm_dup(shared.comm, &next);
      MPI_Comm_free(&shared.comm);
      shared.comm = next;
      MPI_Barrier(shared.comm); /* a begin is carried after a call that blocks */
    }
    wait_for(&shared.completed, round);
  }
  return arg;
}

static void *complete_for_another(void *arg)
{
  for (int round = 1; round <= ROUNDS; round++) {
    wait_for(&shared.begun, round);
    MPI_Wait(&shared.request, MPI_STATUS_IGNORE);
    assert_int_equal(shared.result, total(round));
    for (int k = 1; test_rank == 0 && k < test_size; k++) {
      MPI_Send(&round, 1, MPI_INT, k, 5, MPI_COMM_WORLD);
    }
    atomic_store(&shared.completed, round);
  }
  return arg;
}

TEST(another_thread_may_complete_a_request)
{
  work *const works[] = {begin_for_another, complete_for_another};
  MPI_Comm_dup(MPI_COMM_WORLD, &shared.comm);
  MPI_Barrier(shared.comm);
  run_threads(works, 2, &shared, 0);
  MPI_Comm_free(&shared.comm);
}

/* Ranks that differ in size. */
static void *call_wrongly(void *arg)
{
  MPI_Comm comm = *(MPI_Comm *)arg;
  for (int k = 0; k < ROUNDS; k++) {
    int parts[2] = {0}, sums[2], flag = 0, code = MPI_SUCCESS;
    MPI_Request request;
    MPI_Iallreduce(parts, sums, 1 + (test_rank == 0), MPI_INT, MPI_SUM, comm, &request);
    while (!flag) code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    assert_int_not_equal(code, MPI_SUCCESS);
  }
  return NULL;
}

static void *call_rightly(void *arg)
{
  MPI_Comm comm = *(MPI_Comm *)arg;
  for (int k = 0; k < ROUNDS; k++) {
    int sum = 0;
    MPI_Request request;
    MPI_Iallreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    assert_int_equal(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_int_equal(sum, total(0));
  }
  return NULL;
}

TEST(an_error_reaches_the_thread_that_completes)
{
  work *const works[] = {call_wrongly, call_rightly, call_rightly};
  MPI_Comm comms[3];
  for (int k = 0; k < 3; k++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
    MPI_Comm_set_errhandler(comms[k], MPI_ERRORS_RETURN);
    MPI_Barrier(comms[k]);
  }
  run_threads(works, 3, comms, sizeof *comms);
  for (int k = 0; k < 3; k++) MPI_Comm_free(&comms[k]);
}
