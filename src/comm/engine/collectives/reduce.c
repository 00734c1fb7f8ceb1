/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of collectives_reduce.h: a row of the table and a function each. */
#include "comm/engine/collectives/create.h"
#include "comm/engine/collectives/keys.h"
#include "core/context/ctx_impl.h"

static ovk_err reduce(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_reduce(c->ctx, &c->algorithms, &c->hierarchy, c->ctx->rank, c->root,
                              (size_t)c->fragment, out);
}

static ovk_err allreduce(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_allreduce(c->ctx, &c->algorithms, &c->hierarchy, c->ctx->rank,
                                 (size_t)c->fragment, c->size, out);
}

static ovk_err reduce_scatter(const ovk__call *c, ovk__schedule *out)
{
  const int size = c->ctx->size, rank = c->ctx->rank;
  const ovk__segment *segments = c->out.segments;
  return c->ring ? ovk__schedule_reduce_scatter_ring(c->ctx, size, rank, segments, out)
                 : ovk__schedule_reduce_scatter(c->ctx, size, rank, segments, c->window, out);
}

static ovk_err scan(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_scan(c->ctx, c->ctx->size, c->ctx->rank, (size_t)c->out.count, out);
}

static ovk_err exscan(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_exscan(c->ctx, c->ctx->size, c->ctx->rank, (size_t)c->out.count, out);
}

enum { REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN, EXSCAN };

/* The name in messages, the layouts of `send` and `receive`, keys, the schedule, properties. */
static const ovk__operation operations[] = {
    [REDUCE] = {"ireduce", OVK__BLOCK, OVK__BLOCK, &ovk__fragment_keys, reduce,
                OVK__TO_ROOT | OVK__COMBINES | OVK__HAS_LEVELS | OVK__IN_FRAGMENTS},
    [ALLREDUCE] = {"iallreduce", OVK__BLOCK, OVK__BLOCK, &ovk__fragment_keys, allreduce,
                   OVK__COMBINES | OVK__IN_PLACE | OVK__HAS_LEVELS | OVK__IN_FRAGMENTS},
    [REDUCE_SCATTER] = {"ireduce_scatter", OVK__SHARES, OVK__OWN_SHARE, &ovk__ring_keys,
                        reduce_scatter, OVK__VARIES | OVK__COMBINES | OVK__APART},
    [SCAN] = {"iscan", OVK__BLOCK, OVK__BLOCK, NULL, scan, OVK__COMBINES | OVK__IN_ORDER},
    [EXSCAN] = {"iexscan", OVK__BLOCK, OVK__BLOCK, NULL, exscan, OVK__COMBINES | OVK__IN_ORDER},
};

/* The common part of calls that combine numbers of library types or MPI types. */
static ovk__call numbers_of(ovk_type type, ovk_op op)
{
  return (ovk__call){.type = type, .op = op};
}

static ovk__call numbers_of_mpi(MPI_Datatype type, MPI_Op op)
{
  return (ovk__call){.by_mpi = true, .mpi_type = type, .mpi_op = op};
}

/* Creates an operation that combines numbers. */
static ovk_err combine(int operation, ovk__call call, ovk_ctx *ctx, const char *spec,
                       const void *send, void *receive, ovk__side numbers, int root,
                       ovk_collective **made)
{
  call.ctx = ctx;
  call.text = spec;
  call.send = send;
  call.receive = receive;
  call.out = call.in = numbers;
  call.root = root;
  return ovk__collective_create(&operations[operation], call, made);
}

ovk_err ovk_collective_create_reduce(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, ovk_type type, ovk_op op, int root,
                                     ovk_collective **out)
{
  return combine(REDUCE, numbers_of(type, op), ctx, spec, send, receive, ovk__uniform(count), root,
                 out);
}

ovk_err ovk_collective_create_allreduce(ovk_ctx *ctx, const char *spec, const void *send,
                                        void *receive, int count, ovk_type type, ovk_op op,
                                        ovk_collective **out)
{
  return combine(ALLREDUCE, numbers_of(type, op), ctx, spec, send, receive, ovk__uniform(count), 0,
                 out);
}

ovk_err ovk_collective_create_reduce_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, const int *counts, ovk_type type,
                                             ovk_op op, ovk_collective **out)
{
  return combine(REDUCE_SCATTER, numbers_of(type, op), ctx, spec, send, receive,
                 ovk__shares(counts, NULL), 0, out);
}

ovk_err ovk_collective_create_scan(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                   int count, ovk_type type, ovk_op op, ovk_collective **out)
{
  return combine(SCAN, numbers_of(type, op), ctx, spec, send, receive, ovk__uniform(count), 0, out);
}

ovk_err ovk_collective_create_exscan(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, ovk_type type, ovk_op op,
                                     ovk_collective **out)
{
  return combine(EXSCAN, numbers_of(type, op), ctx, spec, send, receive, ovk__uniform(count), 0,
                 out);
}

ovk_err ovk_collective_create_reduce_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                         void *receive, int count, MPI_Datatype type, MPI_Op op,
                                         int root, ovk_collective **out)
{
  return combine(REDUCE, numbers_of_mpi(type, op), ctx, spec, send, receive, ovk__uniform(count),
                 root, out);
}

ovk_err ovk_collective_create_allreduce_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                            void *receive, int count, MPI_Datatype type, MPI_Op op,
                                            ovk_collective **out)
{
  return combine(ALLREDUCE, numbers_of_mpi(type, op), ctx, spec, send, receive, ovk__uniform(count),
                 0, out);
}

ovk_err ovk_collective_create_reduce_scatter_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, const int *counts,
                                                 MPI_Datatype type, MPI_Op op, ovk_collective **out)
{
  return combine(REDUCE_SCATTER, numbers_of_mpi(type, op), ctx, spec, send, receive,
                 ovk__shares(counts, NULL), 0, out);
}

ovk_err ovk_collective_create_scan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                       void *receive, int count, MPI_Datatype type, MPI_Op op,
                                       ovk_collective **out)
{
  return combine(SCAN, numbers_of_mpi(type, op), ctx, spec, send, receive, ovk__uniform(count), 0,
                 out);
}

ovk_err ovk_collective_create_exscan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                         void *receive, int count, MPI_Datatype type, MPI_Op op,
                                         ovk_collective **out)
{
  return combine(EXSCAN, numbers_of_mpi(type, op), ctx, spec, send, receive, ovk__uniform(count), 0,
                 out);
}
