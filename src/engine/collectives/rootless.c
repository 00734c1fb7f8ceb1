/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations without a root: all-gather, all-to-all, reduce-scatter. */
#include "engine/collectives/shares.h"

static ovk_err build_allgather(const ovk__call *call, ovk__schedule *out)
{
  const int size = ovk_ctx_size(call->ctx), rank = ovk_ctx_rank(call->ctx);
  const ovk__segment *segments = call->in.segments;
  return call->ring ? ovk__schedule_allgather_ring(call->ctx, size, rank, segments, out)
                    : ovk__schedule_allgather(call->ctx, size, rank, segments, call->window, out);
}

ovk_err ovk_collective_create_allgather(ovk_ctx *ctx, const char *spec, const void *send,
                                        void *receive, int count, size_t size, ovk_collective **out)
{
  static const ovk__operation allgather = {.name = "iallgather",
                                           .keys = ovk__ring_keys,
                                           .out = OVK__BLOCK,
                                           .in = OVK__SHARES,
                                           .read = ovk__read_ring,
                                           .build = build_allgather};
  return ovk__collective_create(&allgather,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.count = count},
                                            .in = {.count = count},
                                            .size = size},
                                out);
}

ovk_err ovk_collective_create_allgatherv(ovk_ctx *ctx, const char *spec, const void *send,
                                         void *receive, const int *counts, const int64_t *offsets,
                                         size_t size, ovk_collective **out)
{
  static const ovk__operation allgatherv = {.name = "iallgatherv",
                                            .keys = ovk__ring_keys,
                                            .out = OVK__OWN_SHARE,
                                            .in = OVK__SHARES,
                                            .varies = true,
                                            .read = ovk__read_ring,
                                            .build = build_allgather};
  return ovk__collective_create(&allgatherv,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .in = {.counts = counts, .offsets = offsets},
                                            .size = size},
                                out);
}

static ovk_err build_alltoall(const ovk__call *call, ovk__schedule *out)
{
  return ovk__schedule_alltoall(call->ctx, ovk_ctx_size(call->ctx), ovk_ctx_rank(call->ctx),
                                call->out.segments, call->in.segments, call->window, out);
}

ovk_err ovk_collective_create_alltoall(ovk_ctx *ctx, const char *spec, const void *send,
                                       void *receive, int count, size_t size, ovk_collective **out)
{
  static const ovk__operation alltoall = {.name = "ialltoall",
                                          .keys = ovk__window_keys,
                                          .out = OVK__SHARES,
                                          .in = OVK__SHARES,
                                          .apart = true,
                                          .read = ovk__read_window,
                                          .build = build_alltoall};
  return ovk__collective_create(&alltoall,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.count = count},
                                            .in = {.count = count},
                                            .size = size},
                                out);
}

ovk_err ovk_collective_create_alltoallv(ovk_ctx *ctx, const char *spec, const void *send,
                                        const int *send_counts, const int64_t *send_offsets,
                                        void *receive, const int *receive_counts,
                                        const int64_t *receive_offsets, size_t size,
                                        ovk_collective **out)
{
  static const ovk__operation alltoallv = {.name = "ialltoallv",
                                           .keys = ovk__window_keys,
                                           .out = OVK__SHARES,
                                           .in = OVK__SHARES,
                                           .varies = true,
                                           .apart = true,
                                           .read = ovk__read_window,
                                           .build = build_alltoall};
  return ovk__collective_create(
      &alltoallv,
      (ovk__call){.ctx = ctx,
                  .text = spec,
                  .send = send,
                  .receive = receive,
                  .out = {.counts = send_counts, .offsets = send_offsets},
                  .in = {.counts = receive_counts, .offsets = receive_offsets},
                  .size = size},
      out);
}

static ovk_err build_reduce_scatter(const ovk__call *call, ovk__schedule *out)
{
  const int size = ovk_ctx_size(call->ctx), rank = ovk_ctx_rank(call->ctx);
  const ovk__segment *segments = call->out.segments;
  return call->ring
             ? ovk__schedule_reduce_scatter_ring(call->ctx, size, rank, segments, out)
             : ovk__schedule_reduce_scatter(call->ctx, size, rank, segments, call->window, out);
}

ovk_err ovk_collective_create_reduce_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, const int *counts, ovk_type type,
                                             ovk_op op, ovk_collective **out)
{
  static const ovk__operation reduce_scatter = {.name = "ireduce_scatter",
                                                .keys = ovk__ring_keys,
                                                .out = OVK__SHARES,
                                                .in = OVK__OWN_SHARE,
                                                .varies = true,
                                                .combines = true,
                                                .apart = true,
                                                .read = ovk__read_ring,
                                                .build = build_reduce_scatter};
  return ovk__collective_create(&reduce_scatter,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.counts = counts},
                                            .type = type,
                                            .op = op},
                                out);
}
