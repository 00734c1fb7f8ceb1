/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective operations: a row of the table and a function each. */
#include "core/ctx_impl.h"
#include "engine/collectives/create.h"
#include "engine/collectives/keys.h"
#include "engine/collectives/own_schedule.h"

static ovk_err barrier(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_barrier(c->ctx, &c->shape, &c->hierarchy, c->ctx->rank, c->ways, out);
}

static ovk_err bcast(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_bcast(c->ctx, &c->shape, &c->hierarchy, c->ctx->rank, c->root,
                             (size_t)c->piece, out);
}

static ovk_err gather(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_gather(c->ctx, c->ctx->size, c->ctx->rank, c->root, (size_t)c->out.count,
                              c->in.segments, c->window, out);
}

static ovk_err scatter(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_scatter(c->ctx, c->ctx->size, c->ctx->rank, c->root, (size_t)c->in.count,
                               c->out.segments, c->window, out);
}

static ovk_err allgather(const ovk__call *c, ovk__schedule *out)
{
  const int size = c->ctx->size, rank = c->ctx->rank;
  return c->ring ? ovk__schedule_allgather_ring(c->ctx, size, rank, c->in.segments, out)
                 : ovk__schedule_allgather(c->ctx, size, rank, c->in.segments, c->window, out);
}

static ovk_err alltoall(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_alltoall(c->ctx, c->ctx->size, c->ctx->rank, c->out.segments, c->in.segments,
                                c->window, out);
}

static ovk_err neighbours(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_neighbours(c->ctx, c->ctx->size, c->ctx->rank, c->neighbours, c->nshares,
                                  c->out.segments, c->in.segments, c->window, out);
}

static ovk_err reduce(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_reduce(c->ctx, &c->shape, &c->hierarchy, c->ctx->rank, c->root,
                              (size_t)c->piece, out);
}

static ovk_err allreduce(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_allreduce(c->ctx, &c->shape, &c->hierarchy, c->ctx->rank, (size_t)c->piece,
                                 c->size, out);
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

static ovk_err scheduled(const ovk__call *c, ovk__schedule *out)
{
  return ovk__own_schedule_copy(c->ctx, c->schedule, c->shape.level[0].channel, out);
}

enum {
  BARRIER,
  BCAST,
  GATHER,
  GATHERV,
  SCATTER,
  SCATTERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  NEIGHBOR_ALLTOALL,
  NEIGHBOR_ALLTOALLV,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER,
  SCAN,
  EXSCAN,
  SCHEDULED
};

/* The name in messages, the layouts of `send` and `receive`, keys, the schedule, properties. */
static const ovk__operation operations[] = {
    [BARRIER] = {"ibarrier", OVK__UNUSED, OVK__UNUSED, &ovk__ways_keys, barrier, OVK__HAS_LEVELS},
    [BCAST] = {"ibcast", OVK__UNUSED, OVK__BLOCK, &ovk__piece_keys, bcast,
               OVK__HAS_LEVELS | OVK__IN_PIECES},
    [GATHER] = {"igather", OVK__BLOCK, OVK__SHARES, &ovk__window_keys, gather, OVK__TO_ROOT},
    [GATHERV] = {"igatherv", OVK__BLOCK, OVK__SHARES, &ovk__window_keys, gather,
                 OVK__TO_ROOT | OVK__VARIES},
    [SCATTER] = {"iscatter", OVK__SHARES, OVK__BLOCK, &ovk__window_keys, scatter, OVK__FROM_ROOT},
    [SCATTERV] = {"iscatterv", OVK__SHARES, OVK__BLOCK, &ovk__window_keys, scatter,
                  OVK__FROM_ROOT | OVK__VARIES},
    [ALLGATHER] = {"iallgather", OVK__BLOCK, OVK__SHARES, &ovk__ring_keys, allgather, 0},
    [ALLGATHERV] = {"iallgatherv", OVK__OWN_SHARE, OVK__SHARES, &ovk__ring_keys, allgather,
                    OVK__VARIES},
    [ALLTOALL] = {"ialltoall", OVK__SHARES, OVK__SHARES, &ovk__window_keys, alltoall, OVK__APART},
    [ALLTOALLV] = {"ialltoallv", OVK__SHARES, OVK__SHARES, &ovk__window_keys, alltoall,
                   OVK__VARIES | OVK__APART},
    [NEIGHBOR_ALLTOALL] = {"ineighbor_alltoall", OVK__SHARES, OVK__SHARES, &ovk__window_keys,
                           neighbours, OVK__APART | OVK__NEIGHBOURS},
    [NEIGHBOR_ALLTOALLV] = {"ineighbor_alltoallv", OVK__SHARES, OVK__SHARES, &ovk__window_keys,
                            neighbours, OVK__VARIES | OVK__APART | OVK__NEIGHBOURS},
    [REDUCE] = {"ireduce", OVK__BLOCK, OVK__BLOCK, &ovk__piece_keys, reduce,
                OVK__TO_ROOT | OVK__COMBINES | OVK__HAS_LEVELS | OVK__IN_PIECES},
    [ALLREDUCE] = {"iallreduce", OVK__BLOCK, OVK__BLOCK, &ovk__piece_keys, allreduce,
                   OVK__COMBINES | OVK__IN_PLACE | OVK__HAS_LEVELS | OVK__IN_PIECES},
    [REDUCE_SCATTER] = {"ireduce_scatter", OVK__SHARES, OVK__OWN_SHARE, &ovk__ring_keys,
                        reduce_scatter, OVK__VARIES | OVK__COMBINES | OVK__APART},
    [SCAN] = {"iscan", OVK__BLOCK, OVK__BLOCK, NULL, scan, OVK__COMBINES | OVK__IN_ORDER},
    [EXSCAN] = {"iexscan", OVK__BLOCK, OVK__BLOCK, NULL, exscan, OVK__COMBINES | OVK__IN_ORDER},
    [SCHEDULED] = {"scheduled operation", OVK__BLOCK, OVK__BLOCK, &ovk__channel_keys, scheduled,
                   OVK__SCHEDULED | OVK__VARIES | OVK__IN_ORDER | OVK__HAS_LEVELS},
};

/* `count` items, for this rank or for each. */
static ovk__side uniform(int count)
{
  return (ovk__side){.count = count};
}

static ovk__side shares(const int *counts, const int64_t *offsets)
{
  return (ovk__side){.counts = counts, .offsets = offsets};
}

/* An operation that moves items of `size` bytes. */
static ovk_err move(int operation, ovk_ctx *ctx, const char *spec, const void *send, ovk__side out,
                    void *receive, ovk__side in, size_t size, int root, ovk_collective **made)
{
  const ovk__call call = {.ctx = ctx,
                          .text = spec,
                          .send = send,
                          .receive = receive,
                          .out = out,
                          .in = in,
                          .size = size,
                          .root = root};
  return ovk__collective_create(&operations[operation], call, made);
}

/* The start of a call that combines numbers of the library's types, or of MPI's. */
static ovk__call numbers_of(ovk_type type, ovk_op op)
{
  return (ovk__call){.type = type, .op = op};
}

static ovk__call numbers_of_mpi(MPI_Datatype type, MPI_Op op)
{
  return (ovk__call){.by_mpi = true, .mpi_type = type, .mpi_op = op};
}

/* An operation that combines numbers. */
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

ovk_err ovk_collective_create_barrier(ovk_ctx *ctx, const char *spec, ovk_collective **out)
{
  return move(BARRIER, ctx, spec, NULL, uniform(0), NULL, uniform(0), 1, 0, out);
}

ovk_err ovk_collective_create_bcast(ovk_ctx *ctx, const char *spec, void *data, int count,
                                    size_t size, int root, ovk_collective **out)
{
  return move(BCAST, ctx, spec, NULL, uniform(0), data, uniform(count), size, root, out);
}

ovk_err ovk_collective_create_gather(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, size_t size, int root,
                                     ovk_collective **out)
{
  return move(GATHER, ctx, spec, send, uniform(count), receive, uniform(count), size, root, out);
}

ovk_err ovk_collective_create_gatherv(ovk_ctx *ctx, const char *spec, const void *send, int count,
                                      void *receive, const int *counts, const int64_t *offsets,
                                      size_t size, int root, ovk_collective **out)
{
  return move(GATHERV, ctx, spec, send, uniform(count), receive, shares(counts, offsets), size,
              root, out);
}

ovk_err ovk_collective_create_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                      void *receive, int count, size_t size, int root,
                                      ovk_collective **out)
{
  return move(SCATTER, ctx, spec, send, uniform(count), receive, uniform(count), size, root, out);
}

ovk_err ovk_collective_create_scatterv(ovk_ctx *ctx, const char *spec, const void *send,
                                       const int *counts, const int64_t *offsets, void *receive,
                                       int count, size_t size, int root, ovk_collective **out)
{
  return move(SCATTERV, ctx, spec, send, shares(counts, offsets), receive, uniform(count), size,
              root, out);
}

ovk_err ovk_collective_create_allgather(ovk_ctx *ctx, const char *spec, const void *send,
                                        void *receive, int count, size_t size, ovk_collective **out)
{
  return move(ALLGATHER, ctx, spec, send, uniform(count), receive, uniform(count), size, 0, out);
}

ovk_err ovk_collective_create_allgatherv(ovk_ctx *ctx, const char *spec, const void *send,
                                         void *receive, const int *counts, const int64_t *offsets,
                                         size_t size, ovk_collective **out)
{
  return move(ALLGATHERV, ctx, spec, send, uniform(0), receive, shares(counts, offsets), size, 0,
              out);
}

ovk_err ovk_collective_create_alltoall(ovk_ctx *ctx, const char *spec, const void *send,
                                       void *receive, int count, size_t size, ovk_collective **out)
{
  return move(ALLTOALL, ctx, spec, send, uniform(count), receive, uniform(count), size, 0, out);
}

ovk_err ovk_collective_create_alltoallv(ovk_ctx *ctx, const char *spec, const void *send,
                                        const int *send_counts, const int64_t *send_offsets,
                                        void *receive, const int *receive_counts,
                                        const int64_t *receive_offsets, size_t size,
                                        ovk_collective **out)
{
  return move(ALLTOALLV, ctx, spec, send, shares(send_counts, send_offsets), receive,
              shares(receive_counts, receive_offsets), size, 0, out);
}

ovk_err ovk_collective_create_neighbor_alltoall(ovk_ctx *ctx, const char *spec, const void *send,
                                                void *receive, int count, size_t size,
                                                ovk_collective **out)
{
  return move(NEIGHBOR_ALLTOALL, ctx, spec, send, uniform(count), receive, uniform(count), size, 0,
              out);
}

ovk_err ovk_collective_create_neighbor_alltoallv(ovk_ctx *ctx, const char *spec, const void *send,
                                                 const int *send_counts,
                                                 const int64_t *send_offsets, void *receive,
                                                 const int *receive_counts,
                                                 const int64_t *receive_offsets, size_t size,
                                                 ovk_collective **out)
{
  return move(NEIGHBOR_ALLTOALLV, ctx, spec, send, shares(send_counts, send_offsets), receive,
              shares(receive_counts, receive_offsets), size, 0, out);
}

ovk_err ovk_collective_create_reduce(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, ovk_type type, ovk_op op, int root,
                                     ovk_collective **out)
{
  return combine(REDUCE, numbers_of(type, op), ctx, spec, send, receive, uniform(count), root, out);
}

ovk_err ovk_collective_create_allreduce(ovk_ctx *ctx, const char *spec, const void *send,
                                        void *receive, int count, ovk_type type, ovk_op op,
                                        ovk_collective **out)
{
  return combine(ALLREDUCE, numbers_of(type, op), ctx, spec, send, receive, uniform(count), 0, out);
}

ovk_err ovk_collective_create_reduce_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, const int *counts, ovk_type type,
                                             ovk_op op, ovk_collective **out)
{
  return combine(REDUCE_SCATTER, numbers_of(type, op), ctx, spec, send, receive,
                 shares(counts, NULL), 0, out);
}

ovk_err ovk_collective_create_scan(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                   int count, ovk_type type, ovk_op op, ovk_collective **out)
{
  return combine(SCAN, numbers_of(type, op), ctx, spec, send, receive, uniform(count), 0, out);
}

ovk_err ovk_collective_create_exscan(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, ovk_type type, ovk_op op,
                                     ovk_collective **out)
{
  return combine(EXSCAN, numbers_of(type, op), ctx, spec, send, receive, uniform(count), 0, out);
}

ovk_err ovk_collective_create_reduce_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                         void *receive, int count, MPI_Datatype type, MPI_Op op,
                                         int root, ovk_collective **out)
{
  return combine(REDUCE, numbers_of_mpi(type, op), ctx, spec, send, receive, uniform(count), root,
                 out);
}

ovk_err ovk_collective_create_allreduce_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                            void *receive, int count, MPI_Datatype type, MPI_Op op,
                                            ovk_collective **out)
{
  return combine(ALLREDUCE, numbers_of_mpi(type, op), ctx, spec, send, receive, uniform(count), 0,
                 out);
}

ovk_err ovk_collective_create_reduce_scatter_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, const int *counts,
                                                 MPI_Datatype type, MPI_Op op, ovk_collective **out)
{
  return combine(REDUCE_SCATTER, numbers_of_mpi(type, op), ctx, spec, send, receive,
                 shares(counts, NULL), 0, out);
}

ovk_err ovk_collective_create_scan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                       void *receive, int count, MPI_Datatype type, MPI_Op op,
                                       ovk_collective **out)
{
  return combine(SCAN, numbers_of_mpi(type, op), ctx, spec, send, receive, uniform(count), 0, out);
}

ovk_err ovk_collective_create_exscan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                         void *receive, int count, MPI_Datatype type, MPI_Op op,
                                         ovk_collective **out)
{
  return combine(EXSCAN, numbers_of_mpi(type, op), ctx, spec, send, receive, uniform(count), 0,
                 out);
}

ovk_err ovk_collective_create_scheduled(ovk_ctx *ctx, const char *spec,
                                        const ovk_schedule *schedule, const void *input, int inputs,
                                        void *output, int outputs, MPI_Datatype type, MPI_Op op,
                                        ovk_collective **out)
{
  ovk__call call = numbers_of_mpi(type, op);
  call.ctx = ctx;
  call.text = spec;
  call.schedule = schedule;
  call.send = input;
  call.receive = output;
  call.out = uniform(inputs);
  call.in = uniform(outputs);
  return ovk__collective_create(&operations[SCHEDULED], call, out);
}
