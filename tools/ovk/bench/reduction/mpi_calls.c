/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of the MPI that libovk_mpi.so may carry. */
#include "bench/reduction/mpi_calls.h"

const mpi_calls mpi_calls_of_mpi = {PMPI_Allreduce, PMPI_Iallreduce, PMPI_Wait,    PMPI_Reduce,
                                    PMPI_Ireduce,   PMPI_Bcast,      PMPI_Ibcast,  PMPI_Barrier,
                                    PMPI_Ibarrier,  PMPI_Allgather,  PMPI_Alltoall};
const mpi_calls mpi_calls_of_programs = {MPI_Allreduce, MPI_Iallreduce, MPI_Wait,    MPI_Reduce,
                                         MPI_Ireduce,   MPI_Bcast,      MPI_Ibcast,  MPI_Barrier,
                                         MPI_Ibarrier,  MPI_Allgather,  MPI_Alltoall};

static int allreduce(const mpi_calls *c, const mpi_items *of)
{
  return c->allreduce(of->send, of->receive, of->count, of->type, of->op, MPI_COMM_WORLD);
}

static int iallreduce(const mpi_calls *c, const mpi_items *of)
{
  MPI_Request request;
  const int err =
      c->iallreduce(of->send, of->receive, of->count, of->type, of->op, MPI_COMM_WORLD, &request);
  return err ? err : c->wait(&request, MPI_STATUS_IGNORE);
}

static int reduce(const mpi_calls *c, const mpi_items *of)
{
  const int err = c->reduce(of->send, of->receive, of->count, of->type, of->op, 0, MPI_COMM_WORLD);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static int bcast(const mpi_calls *c, const mpi_items *of)
{
  const int err = c->bcast(of->receive, of->count, of->type, 0, MPI_COMM_WORLD);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static int ireduce(const mpi_calls *c, const mpi_items *of)
{
  MPI_Request request;
  int err =
      c->ireduce(of->send, of->receive, of->count, of->type, of->op, 0, MPI_COMM_WORLD, &request);
  if (!err) err = c->wait(&request, MPI_STATUS_IGNORE);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static int ibcast(const mpi_calls *c, const mpi_items *of)
{
  MPI_Request request;
  int err = c->ibcast(of->receive, of->count, of->type, 0, MPI_COMM_WORLD, &request);
  if (!err) err = c->wait(&request, MPI_STATUS_IGNORE);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static int barrier(const mpi_calls *c, const mpi_items *of)
{
  (void)of;
  return c->barrier(MPI_COMM_WORLD);
}

static int ibarrier(const mpi_calls *c, const mpi_items *of)
{
  MPI_Request request;
  (void)of;
  const int err = c->ibarrier(MPI_COMM_WORLD, &request);
  return err ? err : c->wait(&request, MPI_STATUS_IGNORE);
}

static int allgather(const mpi_calls *c, const mpi_items *of)
{
  return c->allgather(of->send, of->count, of->type, of->receive, of->count, of->type,
                      MPI_COMM_WORLD);
}

static int alltoall(const mpi_calls *c, const mpi_items *of)
{
  return c->alltoall(of->send, of->count, of->type, of->receive, of->count, of->type,
                     MPI_COMM_WORLD);
}

const mpi_call mpi_call_kinds[MPI_CALL_KINDS] = {
    {"allreduce", allreduce}, {"iallreduce", iallreduce}, {"reduce", reduce},
    {"ireduce", ireduce},     {"bcast", bcast},           {"ibcast", ibcast},
    {"barrier", barrier},     {"ibarrier", ibarrier},     {"allgather", allgather},
    {"alltoall", alltoall}};
