/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded into a program of MPI 4.0 sessions: before, without and in addition to
 * MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIME_LIMIT = 300 };

static void check(MPI_Comm comm)
{
  int one = 1, size, sum = 0, same = 0, item = -1, rank;
  MPI_Request request;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  for (int k = 0; k < 3; k++) {
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Iallreduce(&one, &same, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    item = rank == 0 ? k : -1;
    MPI_Bcast(&item, 1, MPI_INT, 0, comm);
    MPI_Barrier(comm);
    if (sum != size || same != size || item != k) {
      fprintf(stderr, "rank %d of %d: sums %d and %d, item %d\n", rank, size, sum, same, item);
      MPI_Abort(comm, 1);
    }
  }
}

static MPI_Comm comm_of(MPI_Session session)
{
  MPI_Group group;
  MPI_Comm comm;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "org.ovkrylov.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                             &comm);
  MPI_Group_free(&group);
  return comm;
}

/* Argument "alone": no MPI_Init. */
int main(int argc, char **argv)
{
  MPI_Session session;
  MPI_Comm before, copy;
  alarm(TIME_LIMIT);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  before = comm_of(session);
  check(before);
  if (argc == 1) {
    MPI_Init(&argc, &argv);
    check(MPI_COMM_WORLD);
    MPI_Comm during = comm_of(session);
    check(during);
    MPI_Comm_free(&during);
    MPI_Comm_dup(before, &copy);
    check(copy);
    MPI_Comm_free(&copy);
    check(before);
    MPI_Finalize();
  }
  check(before);
  MPI_Comm_free(&before);
  MPI_Session_finalize(&session);
  return EXIT_SUCCESS;
}
