/* SPDX-License-Identifier: BSD-2-Clause */
/* Run by test_cluster.sh: checks the nodes of an emulated cluster and the least times of its links.
 * Arguments: ranks a node, latency in us, bits per second. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 8, LONG = 200000 };

static char buffer[LONG];

/* Seconds of a message of rank 0 to `peer` and of a short answer. */
static double exchange(int peer, int bytes)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == 0) {
    MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, SHORT, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == peer) {
    MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, SHORT, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return MPI_Wtime() - start;
}

static void require(int fact, const char *what)
{
  if (fact) return;
  fprintf(stderr, "link_times: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check_node(int rank, int ranks_per_node)
{
  MPI_Comm node;
  int size = 0, length = 0;
  char name[MPI_MAX_PROCESSOR_NAME] = "", expected[32];
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  MPI_Get_processor_name(name, &length);
  snprintf(expected, sizeof expected, "node%d", 1 + rank / ranks_per_node);
  require(size == ranks_per_node, "not the ranks of a node share memory");
  require(!strcmp(name, expected), "the ranks are not in the order of the nodes");
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  if (argc < 4) MPI_Abort(MPI_COMM_WORLD, 2);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int ranks_per_node = atoi(argv[1]);
  const double latency = 1e-6 * atof(argv[2]), rate = atof(argv[3]);
  check_node(rank, ranks_per_node);
  for (int k = 0; k < 3; k++) {
    const double trip = exchange(ranks_per_node, SHORT), stream = exchange(ranks_per_node, LONG);
    if (rank != 0) continue;
    require(trip >= 2 * latency, "a round trip takes less than two latencies");
    require(stream >= 8 * LONG / rate, "a stream is faster than the link");
  }
  if (rank == 0) puts("links have their times");
  MPI_Finalize();
  return 0;
}
