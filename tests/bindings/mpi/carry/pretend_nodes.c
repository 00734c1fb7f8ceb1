/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded: pretends that the ranks of MPI_COMM_WORLD are on several nodes. OVK_TEST_NODES has a
 * letter for each rank: its node. */
#include <mpi.h>
#include <stdlib.h>

#define PRETENDS __attribute__((visibility("default"))) /* as in the header of Open MPI */

static int split(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  const char *nodes = getenv("OVK_TEST_NODES");
  int rank;
  (void)type, (void)info;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return PMPI_Comm_split(comm, nodes[rank], key, out);
}

PRETENDS int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  return split(comm, type, key, info, out);
}

PRETENDS int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  return split(comm, type, key, info, out);
}
