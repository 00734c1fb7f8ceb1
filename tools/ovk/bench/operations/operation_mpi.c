/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations of the MPI. */
#include "bench/operations/operation_mpi.h"

/* The blocking call, or that with a request. */
#define CALL(blocking, other, ...)                                                                 \
  (request ? MPI_##other(__VA_ARGS__, request) : MPI_##blocking(__VA_ARGS__))

int operation_mpi_begin(operation *op)
{
  const MPI_Datatype T = MPI_DOUBLE;
  const MPI_Comm W = MPI_COMM_WORLD;
  const int n = op->count, own = op->shares ? op->shares[ovk_ctx_rank(op->ctx)] : 0;
  const int *const shares = op->shares, *const starts = op->starts;
  double *const send = op->send, *const receive = op->receive;
  MPI_Request *const request = op->blocking ? NULL : &op->request;
  switch (op->kind) {
  case OPERATION_SUM:
    return CALL(Allreduce, Iallreduce, MPI_IN_PLACE, receive, n, T, MPI_SUM, W);
  case OPERATION_REDUCE:
    return CALL(Reduce, Ireduce, send, receive, n, T, MPI_SUM, 0, W);
  case OPERATION_REDUCE_SCATTER:
    return CALL(Reduce_scatter_block, Ireduce_scatter_block, send, receive, n, T, MPI_SUM, W);
  case OPERATION_SCAN:
    return CALL(Scan, Iscan, send, receive, n, T, MPI_SUM, W);
  case OPERATION_BCAST:
    return CALL(Bcast, Ibcast, receive, n, T, 0, W);
  case OPERATION_GATHER:
    return CALL(Gather, Igather, send, n, T, receive, n, T, 0, W);
  case OPERATION_SCATTER:
    return CALL(Scatter, Iscatter, send, n, T, receive, n, T, 0, W);
  case OPERATION_ALLGATHER:
    return CALL(Allgather, Iallgather, send, n, T, receive, n, T, W);
  case OPERATION_ALLTOALL:
    return CALL(Alltoall, Ialltoall, send, n, T, receive, n, T, W);
  case OPERATION_GATHERV:
    return CALL(Gatherv, Igatherv, send, own, T, receive, shares, starts, T, 0, W);
  case OPERATION_SCATTERV:
    return CALL(Scatterv, Iscatterv, send, shares, starts, T, receive, own, T, 0, W);
  case OPERATION_ALLGATHERV:
    return CALL(Allgatherv, Iallgatherv, send, own, T, receive, shares, starts, T, W);
  case OPERATION_ALLTOALLV:
    return CALL(Alltoallv, Ialltoallv, send, shares, starts, T, receive, shares, starts, T, W);
  case OPERATION_BARRIER:
    return CALL(Barrier, Ibarrier, W);
  case OPERATION_KINDS:
    break;
  }
  return MPI_ERR_OP;
}
