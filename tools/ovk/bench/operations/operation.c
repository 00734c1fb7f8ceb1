/* SPDX-License-Identifier: BSD-2-Clause */
/* One collective operation to be measured, by the library or by MPI. */
#include "bench/operations/operation.h"
#include "bench/operations/operation_kinds.h"
#include "tool.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <stdlib.h>
#include <string.h>

const char *const operation_names[OPERATION_KINDS] = {
    [OPERATION_SUM] = "allreduce",
    [OPERATION_REDUCE] = "reduce",
    [OPERATION_REDUCE_SCATTER] = "reduce_scatter",
    [OPERATION_SCAN] = "scan",
    [OPERATION_BCAST] = "bcast",
    [OPERATION_GATHER] = "gather",
    [OPERATION_SCATTER] = "scatter",
    [OPERATION_ALLGATHER] = "allgather",
    [OPERATION_ALLTOALL] = "alltoall",
    [OPERATION_GATHERV] = "gatherv",
    [OPERATION_SCATTERV] = "scatterv",
    [OPERATION_ALLGATHERV] = "allgatherv",
    [OPERATION_ALLTOALLV] = "alltoallv",
    [OPERATION_BARRIER] = "barrier",
};

const char *const operation_own[OPERATION_KINDS][2] = {
    [OPERATION_SUM] = {"mpi:allreduce", "mpi:iallreduce"},
    [OPERATION_REDUCE] = {"mpi:reduce", "mpi:ireduce"},
    [OPERATION_REDUCE_SCATTER] = {"mpi:reduce_scatter", "mpi:ireduce_scatter"},
    [OPERATION_SCAN] = {"mpi:scan", "mpi:iscan"},
    [OPERATION_BCAST] = {"mpi:bcast", "mpi:ibcast"},
    [OPERATION_GATHER] = {"mpi:gather", "mpi:igather"},
    [OPERATION_SCATTER] = {"mpi:scatter", "mpi:iscatter"},
    [OPERATION_ALLGATHER] = {"mpi:allgather", "mpi:iallgather"},
    [OPERATION_ALLTOALL] = {"mpi:alltoall", "mpi:ialltoall"},
    [OPERATION_GATHERV] = {"mpi:gatherv", "mpi:igatherv"},
    [OPERATION_SCATTERV] = {"mpi:scatterv", "mpi:iscatterv"},
    [OPERATION_ALLGATHERV] = {"mpi:allgatherv", "mpi:iallgatherv"},
    [OPERATION_ALLTOALLV] = {"mpi:alltoallv", "mpi:ialltoallv"},
    [OPERATION_BARRIER] = {"mpi:barrier", "mpi:ibarrier"},
};

static bool is_uneven(operation_kind kind)
{
  return kind >= OPERATION_GATHERV && kind <= OPERATION_ALLTOALLV;
}

/* Shares of 2 / (P + 1) to 2 P / (P + 1) of `count`, which is their mean. Two ranks of an
 * all-to-all send each other the same. */
static ovk_err create_shares(operation *op)
{
  const int ranks = ovk_ctx_size(op->ctx);
  const int first = op->kind == OPERATION_ALLTOALLV ? ovk_ctx_rank(op->ctx) : 0;
  op->shares = calloc((size_t)ranks, sizeof *op->shares);
  op->starts = calloc((size_t)ranks, sizeof *op->starts);
  op->offsets = calloc((size_t)ranks, sizeof *op->offsets);
  TRY(tool_got_memory(op->ctx, op->shares && op->starts && op->offsets));
  for (int r = 0; r < ranks; r++) {
    const int64_t weight = 2 * (int64_t)((first + r) % ranks + 1);
    op->shares[r] = (int)(weight * op->count / (ranks + 1));
    if (r > 0) op->starts[r] = op->starts[r - 1] + op->shares[r - 1];
    op->offsets[r] = op->starts[r];
  }
  return OVK_OK;
}

static ovk_err create_buffers(operation *op)
{
  const operation_kind kind = op->kind;
  const bool all = kind == OPERATION_ALLTOALL; /* a block for each rank, both ways */
  const bool out = all || kind == OPERATION_REDUCE_SCATTER || kind == OPERATION_SCATTER;
  const bool in = all || kind == OPERATION_GATHER || kind == OPERATION_ALLGATHER;
  const size_t ranks = (size_t)ovk_ctx_size(op->ctx), bytes = sizeof *op->send;
  const bool uneven = is_uneven(op->kind);
  const size_t sends = uneven ? ranks + 1 : out ? ranks : 1;
  const size_t receives = uneven ? ranks + 1 : in ? ranks : 1;
  if (uneven) TRY(create_shares(op));
  op->send = calloc((size_t)op->count, bytes * sends);
  op->receive = calloc((size_t)op->count, bytes * receives);
  op->in = op->kind == OPERATION_SUM || op->kind == OPERATION_BCAST ? op->receive : op->send;
  op->out = op->receive;
  return tool_got_memory(op->ctx, op->send && op->receive);
}

static ovk_err operation_build(operation *op)
{
  for (int own = 0; own < 2; own++) {
    if (strcmp(op->spec, operation_own[op->kind][own]) != 0) continue;
    op->blocking = own == 0;
    return create_buffers(op);
  }
  if (op->kind != OPERATION_SUM) {
    TRY(create_buffers(op));
    return operation_create_collective(op);
  }
  TRY(ovk_reduction_create(op->ctx, op->spec, op->count, &op->reduction));
  op->in = op->out = ovk_reduction_values(op->reduction);
  memset(op->in, 0, (size_t)op->count * sizeof *op->in);
  op->backend = ovk_reduction_spec(op->reduction);
  return OVK_OK;
}

ovk_err operation_create(ovk_ctx *ctx, operation_kind kind, const char *spec, int count,
                         operation *out)
{
  *out = (operation){.kind = kind,
                     .spec = spec,
                     .backend = spec,
                     .count = count,
                     .ctx = ctx,
                     .request = MPI_REQUEST_NULL};
  const ovk_err err = operation_build(out);
  if (!err) return OVK_OK;
  operation_destroy(out);
  return ovk_ctx_fail(ctx, err, "%s: %s", spec, ovk_ctx_error(ctx));
}

void operation_destroy(operation *op)
{
  ovk_reduction_destroy(&op->reduction);
  ovk_collective_destroy(&op->collective);
  free(op->shares);
  free(op->starts);
  free(op->offsets);
  free(op->send);
  free(op->receive);
  *op = (operation){.request = MPI_REQUEST_NULL};
}

ovk_err operation_begin(operation *op)
{
  if (op->reduction) return ovk_reduction_begin(op->reduction);
  if (op->collective) return ovk_collective_begin(op->collective);
  return tool_mpi(op->ctx, operation_mpi_begin(op), op->spec);
}

ovk_err operation_test(operation *op)
{
  bool complete;
  int flag;
  if (op->reduction) return ovk_reduction_test(op->reduction, &complete);
  if (op->collective) return ovk_collective_test(op->collective, &complete);
  if (op->blocking) return OVK_OK;
  return tool_mpi(op->ctx, MPI_Test(&op->request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
}

ovk_err operation_wait(operation *op)
{
  if (op->reduction) return ovk_reduction_wait(op->reduction);
  if (op->collective) return ovk_collective_wait(op->collective);
  if (op->blocking) return OVK_OK;
  return tool_mpi(op->ctx, MPI_Wait(&op->request, MPI_STATUS_IGNORE), "MPI_Wait");
}
