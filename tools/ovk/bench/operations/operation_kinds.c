/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations of the MPI and of the engine, by kind. */
#include "bench/operations/operation_kinds.h"
#include "tool.h"

#include <stdlib.h>

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

static ovk_err create_reduce_scatter(operation *op)
{
  const int ranks = ovk_ctx_size(op->ctx);
  int *counts = malloc((size_t)ranks * sizeof *counts);
  TRY(tool_got_memory(op->ctx, counts != NULL));
  for (int r = 0; r < ranks; r++) counts[r] = op->count;
  const ovk_err err =
      ovk_collective_create_reduce_scatter(op->ctx, op->spec, op->send, op->receive, counts,
                                           OVK_TYPE_DOUBLE, OVK_OP_SUM, &op->collective);
  free(counts);
  return err;
}

ovk_err operation_create_collective(operation *op)
{
  ovk_ctx *const ctx = op->ctx;
  const char *const spec = op->spec;
  const int n = op->count, own = op->shares ? op->shares[ovk_ctx_rank(ctx)] : 0;
  const size_t size = sizeof(double);
  double *const send = op->send, *const receive = op->receive;
  ovk_collective **const out = &op->collective;
  switch (op->kind) {
  case OPERATION_REDUCE:
    return ovk_collective_create_reduce(ctx, spec, send, receive, n, OVK_TYPE_DOUBLE, OVK_OP_SUM, 0,
                                        out);
  case OPERATION_REDUCE_SCATTER:
    return create_reduce_scatter(op);
  case OPERATION_SCAN:
    return ovk_collective_create_scan(ctx, spec, send, receive, n, OVK_TYPE_DOUBLE, OVK_OP_SUM,
                                      out);
  case OPERATION_BCAST:
    return ovk_collective_create_bcast(ctx, spec, receive, n, size, 0, out);
  case OPERATION_GATHER:
    return ovk_collective_create_gather(ctx, spec, send, receive, n, size, 0, out);
  case OPERATION_SCATTER:
    return ovk_collective_create_scatter(ctx, spec, send, receive, n, size, 0, out);
  case OPERATION_ALLGATHER:
    return ovk_collective_create_allgather(ctx, spec, send, receive, n, size, out);
  case OPERATION_ALLTOALL:
    return ovk_collective_create_alltoall(ctx, spec, send, receive, n, size, out);
  case OPERATION_GATHERV:
    return ovk_collective_create_gatherv(ctx, spec, send, own, receive, op->shares, op->offsets,
                                         size, 0, out);
  case OPERATION_SCATTERV:
    return ovk_collective_create_scatterv(ctx, spec, send, op->shares, op->offsets, receive, own,
                                          size, 0, out);
  case OPERATION_ALLGATHERV:
    return ovk_collective_create_allgatherv(ctx, spec, send, receive, op->shares, op->offsets, size,
                                            out);
  case OPERATION_ALLTOALLV:
    return ovk_collective_create_alltoallv(ctx, spec, send, op->shares, op->offsets, receive,
                                           op->shares, op->offsets, size, out);
  case OPERATION_BARRIER:
    return ovk_collective_create_barrier(ctx, spec, out);
  case OPERATION_SUM:
  case OPERATION_KINDS:
    break;
  }
  return ovk_ctx_fail(ctx, OVK_ERR_INTERNAL, "no collective of the engine");
}
