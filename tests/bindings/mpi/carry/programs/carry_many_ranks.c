/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded, on many ranks: a rank whose memory is used up gathers as all others do. */
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIME_LIMIT = 300, MOST = 64 };

static bool none_left;

void *__libc_malloc(size_t size);

/* The library's, too. */
__attribute__((visibility("default"))) void *malloc(size_t size)
{
  if (!none_left) return __libc_malloc(size);
  errno = ENOMEM;
  return NULL;
}

int main(int argc, char **argv)
{
  int rank, size, all[MOST], sum = 0;
  alarm(TIME_LIMIT);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int k = 0; k < size; k++) all[k] = -1;
  none_left = rank == size - 1;
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  none_left = false;
  for (int k = 0; k < size; k++) {
    if (all[k] == k) continue;
    fprintf(stderr, "rank %d: item %d is %d\n", rank, k, all[k]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
