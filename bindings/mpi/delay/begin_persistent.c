/* SPDX-License-Identifier: BSD-2-Clause */
/* Begin of persistent all-reduces (MPI 4.0). */
#include "delay.h"

DELAY_REPLACES int MPI_Allreduce_init(const void *in, void *out, int count, MPI_Datatype type,
                                      MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
  const int err = PMPI_Allreduce_init(in, out, count, type, op, comm, info, request);
  if (!err) delay_add_persistent(*request);
  return err;
}

DELAY_REPLACES int MPI_Start(MPI_Request *request)
{
  delay_start(*request); /* before PMPI_Start, in which the sum may already begin */
  return PMPI_Start(request);
}

DELAY_REPLACES int MPI_Startall(int n, MPI_Request requests[])
{
  for (int k = 0; k < n; k++) delay_start(requests[k]);
  return PMPI_Startall(n, requests);
}

DELAY_REPLACES int MPI_Request_free(MPI_Request *request)
{
  delay_forget(*request);
  return PMPI_Request_free(request);
}
