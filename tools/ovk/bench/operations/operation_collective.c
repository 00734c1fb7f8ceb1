/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations of the engine. */
#include "bench/operations/operation_collective.h"
#include "tool.h"

#include <ovkrylov/comm/collectives.h>
#include <stdlib.h>

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
