/* SPDX-License-Identifier: BSD-2-Clause */
/* Begin of all-reduces with large counts: MPI 4.0, missing in some MPI libraries. */
#include "delay.h"

DELAY_REPLACES int MPI_Allreduce_init_c(const void *in, void *out, MPI_Count count,
                                        MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                        MPI_Request *request)
{
  const int err = PMPI_Allreduce_init_c(in, out, count, type, op, comm, info, request);
  if (!err) delay_add_persistent(*request);
  return err;
}

DELAY_REPLACES int MPI_Allreduce_c(const void *in, void *out, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, MPI_Comm comm)
{
  const int64_t due = delay_due();
  const int err = PMPI_Allreduce_c(in, out, count, type, op, comm);
  if (!err) delay_hold(due);
  return err;
}

DELAY_REPLACES int MPI_Iallreduce_c(const void *in, void *out, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  const int64_t due = delay_due();
  const int err = PMPI_Iallreduce_c(in, out, count, type, op, comm, request);
  if (!err) delay_add(*request, due);
  return err;
}
