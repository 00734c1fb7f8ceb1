/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations over the levels of a hierarchy: broadcast, reduction, all-reduce. */
#include "engine/collectives/create.h"
#include "engine/topology.h"

static const char *const keys[] = {OVK__SHAPE_KEYS, NULL};

static ovk_err read_shape(ovk__call *call)
{
  return ovk__shape_read(call->ctx, call->spec, &call->shape);
}

typedef ovk_err build_levels(const ovk__call *call, const ovk__hierarchy *hierarchy,
                             ovk__schedule *out);

static ovk_err build_over(const ovk__call *call, build_levels *build, ovk__schedule *out)
{
  ovk__hierarchy hierarchy;
  ovk_err err = ovk__topology_hierarchy(call->ctx, call->comm, &call->shape, &hierarchy);
  if (!err) err = build(call, &hierarchy, out);
  ovk__hierarchy_free(&hierarchy);
  return err;
}

static ovk_err bcast_levels(const ovk__call *call, const ovk__hierarchy *hierarchy,
                            ovk__schedule *out)
{
  return ovk__schedule_bcast(call->ctx, &call->shape, hierarchy, ovk_ctx_rank(call->ctx),
                             call->root, (size_t)call->in.count, out);
}

static ovk_err build_bcast(const ovk__call *call, ovk__schedule *out)
{
  return build_over(call, bcast_levels, out);
}

ovk_err ovk_collective_create_bcast(ovk_ctx *ctx, const char *spec, void *data, int count,
                                    size_t size, int root, ovk_collective **out)
{
  static const ovk__operation bcast = {.name = "ibcast",
                                       .keys = keys,
                                       .in = OVK__BLOCK,
                                       .has_levels = true,
                                       .read = read_shape,
                                       .build = build_bcast};
  return ovk__collective_create(&bcast,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .receive = data,
                                            .in = {.count = count},
                                            .size = size,
                                            .root = root},
                                out);
}

static ovk_err reduce_levels(const ovk__call *call, const ovk__hierarchy *hierarchy,
                             ovk__schedule *out)
{
  return ovk__schedule_reduce(call->ctx, &call->shape, hierarchy, ovk_ctx_rank(call->ctx),
                              call->root, (size_t)call->out.count, out);
}

static ovk_err build_reduce(const ovk__call *call, ovk__schedule *out)
{
  return build_over(call, reduce_levels, out);
}

ovk_err ovk_collective_create_reduce(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, ovk_type type, ovk_op op, int root,
                                     ovk_collective **out)
{
  static const ovk__operation reduce = {.name = "ireduce",
                                        .keys = keys,
                                        .out = OVK__BLOCK,
                                        .in = OVK__BLOCK,
                                        .to_root = true,
                                        .combines = true,
                                        .has_levels = true,
                                        .read = read_shape,
                                        .build = build_reduce};
  return ovk__collective_create(&reduce,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.count = count},
                                            .in = {.count = count},
                                            .root = root,
                                            .type = type,
                                            .op = op},
                                out);
}

static ovk_err allreduce_levels(const ovk__call *call, const ovk__hierarchy *hierarchy,
                                ovk__schedule *out)
{
  return ovk__schedule_allreduce(call->ctx, &call->shape, hierarchy, ovk_ctx_rank(call->ctx),
                                 (size_t)call->out.count, out);
}

static ovk_err build_allreduce(const ovk__call *call, ovk__schedule *out)
{
  return build_over(call, allreduce_levels, out);
}

ovk_err ovk_collective_create_allreduce(ovk_ctx *ctx, const char *spec, const void *send,
                                        void *receive, int count, ovk_type type, ovk_op op,
                                        ovk_collective **out)
{
  static const ovk__operation allreduce = {.name = "iallreduce",
                                           .keys = keys,
                                           .out = OVK__BLOCK,
                                           .in = OVK__BLOCK,
                                           .combines = true,
                                           .in_place = true,
                                           .has_levels = true,
                                           .read = read_shape,
                                           .build = build_allreduce};
  return ovk__collective_create(&allreduce,
                                (ovk__call){.ctx = ctx,
                                            .text = spec,
                                            .send = send,
                                            .receive = receive,
                                            .out = {.count = count},
                                            .in = {.count = count},
                                            .type = type,
                                            .op = op},
                                out);
}
