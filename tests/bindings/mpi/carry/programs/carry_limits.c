/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded, on ranks that lack something: file descriptors for a communicator's
 * memory, or a thread for operations that are far ahead. Results are right all the same; see
 * carry_limits.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TIME_LIMIT = 300, MANY = 300 };

static int no_threads, rank, size;

/* The library's, too. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*start)(void *), void *arg)
{
  int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (no_threads) return EAGAIN;
  void *found = dlsym(RTLD_NEXT, "pthread_create");
  memcpy(&real, &found, sizeof real);
  return real(thread, attributes, start, arg);
}

static void check_sum(MPI_Comm comm)
{
  int one = 1, sum = -1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (sum == size) return;
  fprintf(stderr, "rank %d: the sum is %d, not %d\n", rank, sum, size);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The last rank has none left for the memory of its ranks' first communicator. */
static void run_without_files(void)
{
  enum { FILES = 200 };
  struct rlimit before, few;
  int fds[FILES], n = 0;
  MPI_Comm first, second;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  getrlimit(RLIMIT_NOFILE, &before);
  few = before;
  few.rlim_cur = FILES;
  if (rank == size - 1) {
    setrlimit(RLIMIT_NOFILE, &few);
    while (n < FILES && (fds[n] = open("/dev/null", O_RDONLY)) >= 0) n++;
  }
  for (int k = 0; k < 3; k++) check_sum(first);
  for (int k = 0; k < n; k++) close(fds[k]);
  setrlimit(RLIMIT_NOFILE, &before);
  for (int k = 0; k < 3; k++) check_sum(first);
  for (int k = 0; k < 3; k++) check_sum(second); /* is carried */
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
}

/* Ranks other than 0 are ahead by more than a board has places. */
static void run_without_threads(void)
{
  static MPI_Request requests[MANY];
  int token = 0;
  check_sum(MPI_COMM_WORLD);
  no_threads = 1;
  if (rank == 0) {
    for (int k = 1; k < size; k++) {
      MPI_Recv(&token, 1, MPI_INT, k, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  for (int k = 0; k < MANY; k++) MPI_Ibarrier(MPI_COMM_WORLD, &requests[k]);
  if (rank > 0) MPI_Send(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  check_sum(MPI_COMM_WORLD);
  no_threads = 0;
}

int main(int argc, char **argv)
{
  alarm(TIME_LIMIT);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  run_without_files();
  run_without_threads();
  MPI_Finalize();
  return EXIT_SUCCESS;
}
