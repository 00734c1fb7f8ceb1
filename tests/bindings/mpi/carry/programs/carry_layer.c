/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded into a program with a separate profiling layer, which has one of the calls
 * that complete requests: nonblocking operations are left to the MPI, others are carried. */
#include <mpi.h>
#include <unistd.h>

enum { TIME_LIMIT = 300 };

static double waited;

__attribute__((visibility("default"))) int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  const double start = PMPI_Wtime();
  const int code = PMPI_Wait(request, status);
  waited += PMPI_Wtime() - start;
  return code;
}

int main(int argc, char **argv)
{
  int one = 1, size, sum = 0, same = 0;
  MPI_Request request;
  alarm(TIME_LIMIT);
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 3; k++) {
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(&one, &same, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (sum != size || same != size) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return waited < 0;
}
