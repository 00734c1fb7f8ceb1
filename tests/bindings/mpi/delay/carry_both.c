/* SPDX-License-Identifier: BSD-2-Clause */
/* A program for both preloaded libraries: the layer of one calls that of the other; see
 * delay_some.sh. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIME_LIMIT = 300 };

int main(int argc, char **argv)
{
  int one = 1, size, sum = 0, same = 0;
  MPI_Request requests[2];
  alarm(TIME_LIMIT);
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 3; k++) {
    MPI_Barrier(
        MPI_COMM_WORLD); /* as MPI_Ibarrier(), no call of libovk_delay.so, which has MPI_Wait() */
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(&one, &same, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    if (sum != size || same != size) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
