/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of collectives_move.h: a row of the table and a function each. */
#include "comm/engine/collectives/create.h"
#include "comm/engine/collectives/keys.h"
#include "core/context/ctx_impl.h"

#include <ovkrylov/comm/collectives_move.h>

static ovk_err barrier(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_barrier(c->ctx, &c->algorithms, &c->hierarchy, c->ctx->rank, c->ways, out);
}

static ovk_err bcast(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_bcast(c->ctx, &c->algorithms, &c->hierarchy, c->ctx->rank, c->root,
                             (size_t)c->fragment, out);
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
  if (c->bruck) return ovk__schedule_allgather_bruck(c->ctx, size, rank, c->in.segments, out);
  return c->ring ? ovk__schedule_allgather_ring(c->ctx, size, rank, c->in.segments, out)
                 : ovk__schedule_allgather(c->ctx, size, rank, c->in.segments, c->window, out);
}

static ovk_err alltoall(const ovk__call *c, ovk__schedule *out)
{
  const int size = c->ctx->size, rank = c->ctx->rank;
  const ovk__segment *to = c->out.segments, *from = c->in.segments;
  return c->bruck ? ovk__schedule_alltoall_bruck(c->ctx, size, rank, to, from, out)
                  : ovk__schedule_alltoall(c->ctx, size, rank, to, from, c->window, out);
}

static ovk_err neighbors(const ovk__call *c, ovk__schedule *out)
{
  return ovk__schedule_neighbors(c->ctx, c->ctx->size, c->ctx->rank, c->neighbors, c->nshares,
                                 c->out.segments, c->in.segments, c->window, out);
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
  NEIGHBOR_ALLTOALLV
};

/* The name in messages, the layouts of `send` and `receive`, keys, the schedule, properties. */
static const ovk__operation operations[] = {
    [BARRIER] = {"ibarrier", OVK__UNUSED, OVK__UNUSED, &ovk__ways_keys, barrier, OVK__HAS_LEVELS},
    [BCAST] = {"ibcast", OVK__UNUSED, OVK__BLOCK, &ovk__fragment_keys, bcast,
               OVK__HAS_LEVELS | OVK__IN_FRAGMENTS},
    [GATHER] = {"igather", OVK__BLOCK, OVK__SHARES, &ovk__window_keys, gather, OVK__TO_ROOT},
    [GATHERV] = {"igatherv", OVK__BLOCK, OVK__SHARES, &ovk__window_keys, gather,
                 OVK__TO_ROOT | OVK__VARIES},
    [SCATTER] = {"iscatter", OVK__SHARES, OVK__BLOCK, &ovk__window_keys, scatter, OVK__FROM_ROOT},
    [SCATTERV] = {"iscatterv", OVK__SHARES, OVK__BLOCK, &ovk__window_keys, scatter,
                  OVK__FROM_ROOT | OVK__VARIES},
    [ALLGATHER] = {"iallgather", OVK__BLOCK, OVK__SHARES, &ovk__ring_bruck_keys, allgather, 0},
    [ALLGATHERV] = {"iallgatherv", OVK__OWN_SHARE, OVK__SHARES, &ovk__ring_bruck_keys, allgather,
                    OVK__VARIES},
    [ALLTOALL] = {"ialltoall", OVK__SHARES, OVK__SHARES, &ovk__bruck_keys, alltoall, OVK__APART},
    [ALLTOALLV] = {"ialltoallv", OVK__SHARES, OVK__SHARES, &ovk__window_keys, alltoall,
                   OVK__VARIES | OVK__APART},
    [NEIGHBOR_ALLTOALL] = {"ineighbor_alltoall", OVK__SHARES, OVK__SHARES, &ovk__window_keys,
                           neighbors, OVK__APART | OVK__NEIGHBORS},
    [NEIGHBOR_ALLTOALLV] = {"ineighbor_alltoallv", OVK__SHARES, OVK__SHARES, &ovk__window_keys,
                            neighbors, OVK__VARIES | OVK__APART | OVK__NEIGHBORS},
};

/* Creates an operation that moves items of `size` bytes. */
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

ovk_err ovk_collective_create_barrier(ovk_ctx *ctx, const char *spec, ovk_collective **out)
{
  return move(BARRIER, ctx, spec, NULL, ovk__uniform(0), NULL, ovk__uniform(0), 1, 0, out);
}

ovk_err ovk_collective_create_bcast(ovk_ctx *ctx, const char *spec, void *data, int count,
                                    size_t size, int root, ovk_collective **out)
{
  return move(BCAST, ctx, spec, NULL, ovk__uniform(0), data, ovk__uniform(count), size, root, out);
}

ovk_err ovk_collective_create_gather(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, size_t size, int root,
                                     ovk_collective **out)
{
  return move(GATHER, ctx, spec, send, ovk__uniform(count), receive, ovk__uniform(count), size,
              root, out);
}

ovk_err ovk_collective_create_gatherv(ovk_ctx *ctx, const char *spec, const void *send, int count,
                                      void *receive, const int *counts, const int64_t *offsets,
                                      size_t size, int root, ovk_collective **out)
{
  return move(GATHERV, ctx, spec, send, ovk__uniform(count), receive, ovk__shares(counts, offsets),
              size, root, out);
}

ovk_err ovk_collective_create_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                      void *receive, int count, size_t size, int root,
                                      ovk_collective **out)
{
  return move(SCATTER, ctx, spec, send, ovk__uniform(count), receive, ovk__uniform(count), size,
              root, out);
}

ovk_err ovk_collective_create_scatterv(ovk_ctx *ctx, const char *spec, const void *send,
                                       const int *counts, const int64_t *offsets, void *receive,
                                       int count, size_t size, int root, ovk_collective **out)
{
  return move(SCATTERV, ctx, spec, send, ovk__shares(counts, offsets), receive, ovk__uniform(count),
              size, root, out);
}

ovk_err ovk_collective_create_allgather(ovk_ctx *ctx, const char *spec, const void *send,
                                        void *receive, int count, size_t size, ovk_collective **out)
{
  return move(ALLGATHER, ctx, spec, send, ovk__uniform(count), receive, ovk__uniform(count), size,
              0, out);
}

ovk_err ovk_collective_create_allgatherv(ovk_ctx *ctx, const char *spec, const void *send,
                                         void *receive, const int *counts, const int64_t *offsets,
                                         size_t size, ovk_collective **out)
{
  return move(ALLGATHERV, ctx, spec, send, ovk__uniform(0), receive, ovk__shares(counts, offsets),
              size, 0, out);
}

ovk_err ovk_collective_create_alltoall(ovk_ctx *ctx, const char *spec, const void *send,
                                       void *receive, int count, size_t size, ovk_collective **out)
{
  return move(ALLTOALL, ctx, spec, send, ovk__uniform(count), receive, ovk__uniform(count), size, 0,
              out);
}

ovk_err ovk_collective_create_alltoallv(ovk_ctx *ctx, const char *spec, const void *send,
                                        const int *send_counts, const int64_t *send_offsets,
                                        void *receive, const int *receive_counts,
                                        const int64_t *receive_offsets, size_t size,
                                        ovk_collective **out)
{
  return move(ALLTOALLV, ctx, spec, send, ovk__shares(send_counts, send_offsets), receive,
              ovk__shares(receive_counts, receive_offsets), size, 0, out);
}

ovk_err ovk_collective_create_neighbor_alltoall(ovk_ctx *ctx, const char *spec, const void *send,
                                                void *receive, int count, size_t size,
                                                ovk_collective **out)
{
  return move(NEIGHBOR_ALLTOALL, ctx, spec, send, ovk__uniform(count), receive, ovk__uniform(count),
              size, 0, out);
}

ovk_err ovk_collective_create_neighbor_alltoallv(ovk_ctx *ctx, const char *spec, const void *send,
                                                 const int *send_counts,
                                                 const int64_t *send_offsets, void *receive,
                                                 const int *receive_counts,
                                                 const int64_t *receive_offsets, size_t size,
                                                 ovk_collective **out)
{
  return move(NEIGHBOR_ALLTOALLV, ctx, spec, send, ovk__shares(send_counts, send_offsets), receive,
              ovk__shares(receive_counts, receive_offsets), size, 0, out);
}
