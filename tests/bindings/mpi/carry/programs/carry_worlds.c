/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded by the first processes alone: they spawn one that has no such library, and
 * connect to it by a port. Calls of all of them are left to the MPI. Exit status 77: this MPI does
 * not spawn here. */
#define _XOPEN_SOURCE 700
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIME_LIMIT = 300, TAG = 3 };

static int wrong;

static void expect(const char *what, double got, double expected)
{
  if (got == expected) return;
  fprintf(stderr, "%s is %g, not %g\n", what, got, expected);
  wrong++;
}

/* All calls of a communicator. The first blocks or does not. */
static void check(MPI_Comm comm, int first)
{
  int rank, size, item = -1;
  double from[2], to[2] = {-1, -1}, most = -1;
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  from[0] = from[1] = 10 * (rank + 1);
  if (first == 0) MPI_Barrier(comm);
  if (first == 1) {
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int k = 0; k < 3; k++) {
    MPI_Allreduce(from, to, 2, MPI_DOUBLE, MPI_SUM, comm);
    expect("an all-reduce", to[0] + to[1], 10.0 * size * (size + 1));
    MPI_Iallreduce(from, &most, 1, MPI_DOUBLE, MPI_MAX, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("an all-reduce without blocking", most, 10 * size);
    item = rank == size - 1 ? 5 : -1;
    MPI_Bcast(&item, 1, MPI_INT, size - 1, comm);
    expect("a broadcast", item, 5);
    MPI_Reduce(from, to, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    MPI_Barrier(comm);
  }
}

static void check_merged(MPI_Comm between, int high)
{
  for (int first = 0; first < 3; first++) {
    MPI_Comm all, half;
    int rank;
    MPI_Intercomm_merge(between, high, &all);
    check(all, first);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_split(all, high, rank, &half); /* of one world each */
    check(half, first);
    MPI_Comm_free(&half);
    MPI_Comm_free(&all);
  }
}

/* By a port, whose name rank 0 of the first world sends. */
static void connect_worlds(MPI_Comm between, int child, int rank)
{
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm connected;
  if (child) {
    MPI_Recv(port, sizeof port, MPI_CHAR, 0, TAG, between, MPI_STATUS_IGNORE);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &connected);
  } else {
    if (rank == 0) {
      MPI_Open_port(MPI_INFO_NULL, port);
      MPI_Send(port, sizeof port, MPI_CHAR, 0, TAG, between);
    }
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &connected);
    if (rank == 0) MPI_Close_port(port);
  }
  check_merged(connected, child);
  MPI_Comm_disconnect(&connected);
}

int main(int argc, char **argv)
{
  MPI_Comm parent, between;
  int rank, code = MPI_SUCCESS, total = 0;
  alarm(TIME_LIMIT);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  const int child = parent != MPI_COMM_NULL;
  if (child) {
    between = parent;
  } else {
    check(MPI_COMM_WORLD, 2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                          MPI_ERRCODES_IGNORE);
    if (code) {
      if (rank == 0) puts("skipped: this MPI does not spawn here");
      MPI_Finalize();
      return 77;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  }
  check_merged(between, child);
  connect_worlds(between, child, rank);
  /* Children's failures are the parents', too. */
  MPI_Allreduce(&wrong, &total, 1, MPI_INT, MPI_SUM, between);
  MPI_Comm_disconnect(&between);
  MPI_Finalize();
  return wrong || total ? EXIT_FAILURE : EXIT_SUCCESS;
}
