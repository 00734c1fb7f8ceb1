/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded: pretends that the ranks of MPI_COMM_WORLD are on several nodes. OVK_TEST_NODES has a
 * letter for each rank: its node. OVK_TEST_MOST_TAG replaces the largest tag of the MPI. */
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

PRETENDS int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag)
{
  static int most;
  const char *tag = getenv("OVK_TEST_MOST_TAG");
  const int code = MPI_Comm_get_attr(comm, key, value, flag);
  if (tag && key == MPI_TAG_UB && !code) {
    most = atoi(tag);
    *(int **)value = &most;
  }
  return code;
}
