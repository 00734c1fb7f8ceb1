/* SPDX-License-Identifier: BSD-2-Clause */
/* Attributes of MPI_COMM_SELF that call when MPI_Finalize deletes them, the newest first. Rank 0
 * has set the first one before its first collective call, the others after theirs. */
#include <mpi.h>
#include <unistd.h>

static int last = 2, wrong;

static int sum_in_call(MPI_Comm self, int key, void *attribute, void *extra)
{
  int one = 1, sum = 0, same = 0, size;
  MPI_Request request;
  (void)self, (void)key, (void)extra;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Iallreduce(&one, &same, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  wrong += sum != size || same != size || *(int *)attribute != last--;
  return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
  int first = 1, second = 2, rank, key;
  alarm(100); /* seconds, instead of waiting forever */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sum_in_call, &key, NULL);
  if (rank == 0) MPI_Comm_set_attr(MPI_COMM_SELF, key, &first);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) MPI_Comm_set_attr(MPI_COMM_SELF, key, &first);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sum_in_call, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &second);
  MPI_Finalize();
  return wrong || last != 0;
}
