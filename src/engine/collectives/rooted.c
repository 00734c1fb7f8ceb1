/* SPDX-License-Identifier: BSD-2-Clause */
/* Gather to a root and scatter from it. */
#include "engine/collectives/shares.h"

static ovk_err build_gather(const ovk__call *call, ovk__schedule *out)
{
  return ovk__schedule_gather(call->ctx, ovk_ctx_size(call->ctx), ovk_ctx_rank(call->ctx),
                              call->root, (size_t)call->out.count, call->in.segments, call->window,
                              out);
}

ovk_err ovk_collective_create_gather(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, size_t size, int root,
                                     ovk_collective **out)
{
  static const ovk__operation gather = {.name = "igather",
                                        .keys = ovk__window_keys,
                                        .out = OVK__BLOCK,
                                        .in = OVK__SHARES,
                                        .to_root = true,
                                        .read = ovk__read_window,
                                        .build = build_gather};
  return ovk__collective_create(&gather,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.count = count},
                                            .in = {.count = count},
                                            .size = size,
                                            .root = root},
                                out);
}

ovk_err ovk_collective_create_gatherv(ovk_ctx *ctx, const char *spec, const void *send, int count,
                                      void *receive, const int *counts, const int64_t *offsets,
                                      size_t size, int root, ovk_collective **out)
{
  static const ovk__operation gatherv = {.name = "igatherv",
                                         .keys = ovk__window_keys,
                                         .out = OVK__BLOCK,
                                         .in = OVK__SHARES,
                                         .to_root = true,
                                         .varies = true,
                                         .read = ovk__read_window,
                                         .build = build_gather};
  return ovk__collective_create(&gatherv,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.count = count},
                                            .in = {.counts = counts, .offsets = offsets},
                                            .size = size,
                                            .root = root},
                                out);
}

static ovk_err build_scatter(const ovk__call *call, ovk__schedule *out)
{
  return ovk__schedule_scatter(call->ctx, ovk_ctx_size(call->ctx), ovk_ctx_rank(call->ctx),
                               call->root, (size_t)call->in.count, call->out.segments, call->window,
                               out);
}

ovk_err ovk_collective_create_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                      void *receive, int count, size_t size, int root,
                                      ovk_collective **out)
{
  static const ovk__operation scatter = {.name = "iscatter",
                                         .keys = ovk__window_keys,
                                         .out = OVK__SHARES,
                                         .in = OVK__BLOCK,
                                         .from_root = true,
                                         .read = ovk__read_window,
                                         .build = build_scatter};
  return ovk__collective_create(&scatter,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.count = count},
                                            .in = {.count = count},
                                            .size = size,
                                            .root = root},
                                out);
}

ovk_err ovk_collective_create_scatterv(ovk_ctx *ctx, const char *spec, const void *send,
                                       const int *counts, const int64_t *offsets, void *receive,
                                       int count, size_t size, int root, ovk_collective **out)
{
  static const ovk__operation scatterv = {.name = "iscatterv",
                                          .keys = ovk__window_keys,
                                          .out = OVK__SHARES,
                                          .in = OVK__BLOCK,
                                          .from_root = true,
                                          .varies = true,
                                          .read = ovk__read_window,
                                          .build = build_scatter};
  return ovk__collective_create(&scatterv,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.counts = counts, .offsets = offsets},
                                            .in = {.count = count},
                                            .size = size,
                                            .root = root},
                                out);
}
