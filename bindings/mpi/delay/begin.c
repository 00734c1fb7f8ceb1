/* SPDX-License-Identifier: BSD-2-Clause */
/* Begin of the all-reduces that every MPI provides. */
#include "delay.h"

DELAY_REPLACES int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm)
{
  const int64_t due = delay_due();
  const int err = PMPI_Allreduce(in, out, count, type, op, comm);
  if (!err) delay_hold(due);
  return err;
}

DELAY_REPLACES int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  const int64_t due = delay_due();
  const int err = PMPI_Iallreduce(in, out, count, type, op, comm, request);
  if (!err) delay_add(*request, due);
  return err;
}
