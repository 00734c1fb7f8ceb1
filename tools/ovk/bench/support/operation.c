/* SPDX-License-Identifier: BSD-2-Clause */
/* One collective operation to be measured, by the library or by MPI. */
#include "bench/support/operation.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

typedef struct operation_calls {
  ovk_err (*begin)(operation *op), (*test)(operation *op), (*wait)(operation *op);
} operation_calls;

const char *const operation_own[OPERATION_KINDS][2] = {
    [OPERATION_SUM] = {"mpi:allreduce", "mpi:iallreduce"},
    [OPERATION_ALLTOALL] = {"mpi:alltoall", "mpi:ialltoall"},
    [OPERATION_REDUCE] = {"mpi:reduce", "mpi:ireduce"},
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

static ovk_err allreduce(operation *op)
{
  return tool_mpi(
      op->ctx,
      MPI_Allreduce(MPI_IN_PLACE, op->receive, op->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
      "MPI_Allreduce");
}

static ovk_err iallreduce(operation *op)
{
  return tool_mpi(op->ctx,
                  MPI_Iallreduce(MPI_IN_PLACE, op->receive, op->count, MPI_DOUBLE, MPI_SUM,
                                 MPI_COMM_WORLD, &op->request),
                  "MPI_Iallreduce");
}

static ovk_err alltoall(operation *op)
{
  return tool_mpi(op->ctx,
                  MPI_Alltoall(op->send, op->count, MPI_DOUBLE, op->receive, op->count, MPI_DOUBLE,
                               MPI_COMM_WORLD),
                  "MPI_Alltoall");
}

static ovk_err ialltoall(operation *op)
{
  return tool_mpi(op->ctx,
                  MPI_Ialltoall(op->send, op->count, MPI_DOUBLE, op->receive, op->count, MPI_DOUBLE,
                                MPI_COMM_WORLD, &op->request),
                  "MPI_Ialltoall");
}

static ovk_err reduce(operation *op)
{
  return tool_mpi(
      op->ctx, MPI_Reduce(op->send, op->receive, op->count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD),
      "MPI_Reduce");
}

static ovk_err ireduce(operation *op)
{
  return tool_mpi(op->ctx,
                  MPI_Ireduce(op->send, op->receive, op->count, MPI_DOUBLE, MPI_SUM, 0,
                              MPI_COMM_WORLD, &op->request),
                  "MPI_Ireduce");
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

static const operation_calls own_calls[OPERATION_KINDS][2] = {
    [OPERATION_SUM] = {{allreduce, nothing, nothing}, {iallreduce, test_request, wait_request}},
    [OPERATION_ALLTOALL] = {{alltoall, nothing, nothing}, {ialltoall, test_request, wait_request}},
    [OPERATION_REDUCE] = {{reduce, nothing, nothing}, {ireduce, test_request, wait_request}},
};

static ovk_err create_buffers(operation_kind kind, operation *op)
{
  const size_t ranks = kind == OPERATION_ALLTOALL ? (size_t)ovk_ctx_size(op->ctx) : 1;
  op->send = calloc((size_t)op->count, ranks * sizeof *op->send);
  op->receive = calloc((size_t)op->count, ranks * sizeof *op->receive);
  op->in = kind == OPERATION_SUM ? op->receive : op->send;
  op->out = op->receive;
  return tool_got_memory(op->ctx, op->send && op->receive);
}

static ovk_err create_collective(operation_kind kind, operation *op)
{
  if (kind == OPERATION_REDUCE) {
    return ovk_collective_create_reduce(op->ctx, op->spec, op->send, op->receive, op->count,
                                        OVK_TYPE_DOUBLE, OVK_OP_SUM, 0, &op->collective);
  }
  return ovk_collective_create_alltoall(op->ctx, op->spec, op->send, op->receive, op->count,
                                        sizeof *op->send, &op->collective);
}

static ovk_err create(operation_kind kind, operation *op)
{
  for (int own = 0; own < 2; own++) {
    if (strcmp(op->spec, operation_own[kind][own]) != 0) continue;
    op->calls = &own_calls[kind][own];
    op->blocking = own == 0;
    return create_buffers(kind, op);
  }
  if (kind != OPERATION_SUM) {
    op->calls = &collective_calls;
    TRY(create_buffers(kind, op));
    return create_collective(kind, op);
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
  *out = (operation){
      .spec = spec, .backend = spec, .count = count, .ctx = ctx, .request = MPI_REQUEST_NULL};
  const ovk_err err = create(kind, out);
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
