/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded: a program fails if communicators without a common rank make windows at a time. Open
 * MPI 4.1 may give the same name to the files of both. Times are counted in barriers of all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000, END = 3 };

static struct {
  int time, first; /* `first`: the communicator's first rank */
} made[MOST];
static int windows, now = 1;

int MPI_Barrier(MPI_Comm comm)
{
  int size, all;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_size(MPI_COMM_WORLD, &all);
  now += size == all;
  return PMPI_Barrier(comm);
}

int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *memory,
                     MPI_Win *window)
{
  int first;
  PMPI_Comm_rank(MPI_COMM_WORLD, &first);
  PMPI_Bcast(&first, 1, MPI_INT, 0, comm);
  if (windows < MOST) {
    made[windows].time = now;
    made[windows].first = first;
  }
  windows++;
  return PMPI_Win_allocate(bytes, unit, info, comm, memory, window);
}

/* Rank 0's windows, each against the others' of the same time. */
static int compare(int rank)
{
  int wrong = windows == 0 || windows > MOST;
  for (int k = 0; k < MOST; k++) {
    int time = made[k].time;
    PMPI_Bcast(&time, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < windows && i < MOST && time > 0; i++) {
      if (made[i].time != time || made[i].first == 0) continue;
      fprintf(stderr, "FAILED: two communicators make windows at a time, with ranks 0 and %d\n",
              rank);
      wrong = 1;
    }
  }
  return wrong;
}

int MPI_Finalize(void)
{
  int rank, wrong;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  wrong = compare(rank);
  PMPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  PMPI_Finalize();
  if (wrong) exit(END);
  return MPI_SUCCESS;
}
