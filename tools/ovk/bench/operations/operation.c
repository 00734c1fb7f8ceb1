/* SPDX-License-Identifier: BSD-2-Clause */
/* One collective operation to be measured, by the library or by MPI. */
#include "bench/operations/operation.h"
#include "bench/operations/operation_mpi.h"
#include "tool.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <stdlib.h>
#include <string.h>

typedef struct operation_calls {
  ovk_err (*begin)(operation *op), (*test)(operation *op), (*wait)(operation *op);
} operation_calls;

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
    [OPERATION_BARRIER] = {"mpi:barrier", "mpi:ibarrier"},
};

static ovk_err begin_reduction(operation *op)
{
  return ovk_reduction_begin(op->reduction);
}

static ovk_err test_reduction(operation *op)
{
  bool complete;
  return ovk_reduction_test(op->reduction, &complete);
}

static ovk_err wait_reduction(operation *op)
{
  return ovk_reduction_wait(op->reduction);
}

static const operation_calls reduction_calls = {begin_reduction, test_reduction, wait_reduction};

static ovk_err begin_collective(operation *op)
{
  return ovk_collective_begin(op->collective);
}

static ovk_err test_collective(operation *op)
{
  bool complete;
  return ovk_collective_test(op->collective, &complete);
}

static ovk_err wait_collective(operation *op)
{
  return ovk_collective_wait(op->collective);
}

static const operation_calls collective_calls = {begin_collective, test_collective,
                                                 wait_collective};

static ovk_err begin_own(operation *op)
{
  return tool_mpi(op->ctx, operation_mpi_begin(op), op->spec);
}

static ovk_err test_request(operation *op)
{
  int flag;
  return tool_mpi(op->ctx, MPI_Test(&op->request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
}

static ovk_err wait_request(operation *op)
{
  return tool_mpi(op->ctx, MPI_Wait(&op->request, MPI_STATUS_IGNORE), "MPI_Wait");
}

static ovk_err nothing(operation *op)
{
  (void)op;
  return OVK_OK;
}

/* By `blocking`. */
static const operation_calls own_calls[2] = {{begin_own, test_request, wait_request},
                                             {begin_own, nothing, nothing}};

static bool in(operation_kind kind, const operation_kind *kinds, int n)
{
  for (int k = 0; k < n; k++) {
    if (kinds[k] == kind) return true;
  }
  return false;
}

static ovk_err create_buffers(operation *op)
{
  static const operation_kind shared_out[] = {OPERATION_REDUCE_SCATTER, OPERATION_SCATTER,
                                              OPERATION_ALLTOALL};
  static const operation_kind collected[] = {OPERATION_GATHER, OPERATION_ALLGATHER,
                                             OPERATION_ALLTOALL};
  const size_t ranks = (size_t)ovk_ctx_size(op->ctx), bytes = sizeof *op->send;
  op->send = calloc((size_t)op->count, bytes * (in(op->kind, shared_out, 3) ? ranks : 1));
  op->receive = calloc((size_t)op->count, bytes * (in(op->kind, collected, 3) ? ranks : 1));
  op->in = op->kind == OPERATION_SUM || op->kind == OPERATION_BCAST ? op->receive : op->send;
  op->out = op->receive;
  return tool_got_memory(op->ctx, op->send && op->receive);
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

static ovk_err create_collective(operation *op)
{
  ovk_ctx *const ctx = op->ctx;
  const char *const spec = op->spec;
  const int n = op->count;
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
  case OPERATION_BARRIER:
    return ovk_collective_create_barrier(ctx, spec, out);
  case OPERATION_SUM:
  case OPERATION_KINDS:
    break;
  }
  return ovk_ctx_fail(ctx, OVK_ERR_INTERNAL, "no collective of the engine");
}

static ovk_err operation_build(operation *op)
{
  for (int own = 0; own < 2; own++) {
    if (strcmp(op->spec, operation_own[op->kind][own]) != 0) continue;
    op->blocking = own == 0;
    op->calls = &own_calls[op->blocking];
    return create_buffers(op);
  }
  if (op->kind != OPERATION_SUM) {
    op->calls = &collective_calls;
    TRY(create_buffers(op));
    return create_collective(op);
  }
  op->calls = &reduction_calls;
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
  free(op->send);
  free(op->receive);
  *op = (operation){.request = MPI_REQUEST_NULL};
}

ovk_err operation_begin(operation *op)
{
  return op->calls->begin(op);
}

ovk_err operation_test(operation *op)
{
  return op->calls->test(op);
}

ovk_err operation_wait(operation *op)
{
  return op->calls->wait(op);
}
