/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations of the MPI. */
#include "bench/operations/operation_mpi.h"

static int carry_out(operation *op)
{
  const MPI_Datatype T = MPI_DOUBLE;
  const MPI_Comm W = MPI_COMM_WORLD;
  const int n = op->count;
  double *const send = op->send, *const receive = op->receive;
  switch (op->kind) {
  case OPERATION_SUM:
    return MPI_Allreduce(MPI_IN_PLACE, receive, n, T, MPI_SUM, W);
  case OPERATION_REDUCE:
    return MPI_Reduce(send, receive, n, T, MPI_SUM, 0, W);
  case OPERATION_REDUCE_SCATTER:
    return MPI_Reduce_scatter_block(send, receive, n, T, MPI_SUM, W);
  case OPERATION_SCAN:
    return MPI_Scan(send, receive, n, T, MPI_SUM, W);
  case OPERATION_BCAST:
    return MPI_Bcast(receive, n, T, 0, W);
  case OPERATION_GATHER:
    return MPI_Gather(send, n, T, receive, n, T, 0, W);
  case OPERATION_SCATTER:
    return MPI_Scatter(send, n, T, receive, n, T, 0, W);
  case OPERATION_ALLGATHER:
    return MPI_Allgather(send, n, T, receive, n, T, W);
  case OPERATION_ALLTOALL:
    return MPI_Alltoall(send, n, T, receive, n, T, W);
  case OPERATION_BARRIER:
    return MPI_Barrier(W);
  case OPERATION_KINDS:
    break;
  }
  return MPI_ERR_OP;
}

static int operation_mpi_start(operation *op)
{
  const MPI_Datatype T = MPI_DOUBLE;
  const MPI_Comm W = MPI_COMM_WORLD;
  const int n = op->count;
  double *const send = op->send, *const receive = op->receive;
  MPI_Request *const q = &op->request;
  switch (op->kind) {
  case OPERATION_SUM:
    return MPI_Iallreduce(MPI_IN_PLACE, receive, n, T, MPI_SUM, W, q);
  case OPERATION_REDUCE:
    return MPI_Ireduce(send, receive, n, T, MPI_SUM, 0, W, q);
  case OPERATION_REDUCE_SCATTER:
    return MPI_Ireduce_scatter_block(send, receive, n, T, MPI_SUM, W, q);
  case OPERATION_SCAN:
    return MPI_Iscan(send, receive, n, T, MPI_SUM, W, q);
  case OPERATION_BCAST:
    return MPI_Ibcast(receive, n, T, 0, W, q);
  case OPERATION_GATHER:
    return MPI_Igather(send, n, T, receive, n, T, 0, W, q);
  case OPERATION_SCATTER:
    return MPI_Iscatter(send, n, T, receive, n, T, 0, W, q);
  case OPERATION_ALLGATHER:
    return MPI_Iallgather(send, n, T, receive, n, T, W, q);
  case OPERATION_ALLTOALL:
    return MPI_Ialltoall(send, n, T, receive, n, T, W, q);
  case OPERATION_BARRIER:
    return MPI_Ibarrier(W, q);
  case OPERATION_KINDS:
    break;
  }
  return MPI_ERR_OP;
}

int operation_mpi_begin(operation *op)
{
  return op->blocking ? carry_out(op) : operation_mpi_start(op);
}
