/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations without levels and without shares: the barrier and the scans. */
#include "engine/collectives/create.h"

static ovk_err read_ways(ovk__call *call)
{
  enum { MOST_WAYS = 7 };
  long ways;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, "ways", 1, MOST_WAYS, 1, &ways));
  call->ways = (int)ways;
  return OVK_OK;
}

static ovk_err build_barrier(const ovk__call *call, ovk__schedule *out)
{
  return ovk__schedule_barrier(call->ctx, ovk_ctx_size(call->ctx), ovk_ctx_rank(call->ctx),
                               call->ways, out);
}

ovk_err ovk_collective_create_barrier(ovk_ctx *ctx, const char *spec, ovk_collective **out)
{
  static const char *const keys[] = {"ways", NULL};
  static const ovk__operation barrier = {
      .name = "ibarrier", .keys = keys, .read = read_ways, .build = build_barrier};
  return ovk__collective_create(&barrier, (ovk__call){.ctx = ctx, .text = spec, .size = 1}, out);
}

static ovk_err build_scan(const ovk__call *call, ovk__schedule *out)
{
  return ovk__schedule_scan(call->ctx, ovk_ctx_size(call->ctx), ovk_ctx_rank(call->ctx),
                            (size_t)call->out.count, out);
}

static ovk_err build_exscan(const ovk__call *call, ovk__schedule *out)
{
  return ovk__schedule_exscan(call->ctx, ovk_ctx_size(call->ctx), ovk_ctx_rank(call->ctx),
                              (size_t)call->out.count, out);
}

/* The arguments of both scans. */
static ovk__call scan_call(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                           int count, ovk_type type, ovk_op op)
{
  return (ovk__call){.ctx = ctx,
                     .text = spec,
                     .send = send,
                     .receive = receive,
                     .out = {.count = count},
                     .in = {.count = count},
                     .type = type,
                     .op = op};
}

ovk_err ovk_collective_create_scan(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                   int count, ovk_type type, ovk_op op, ovk_collective **out)
{
  static const ovk__operation scan = {
      .name = "iscan", .out = OVK__BLOCK, .in = OVK__BLOCK, .combines = true, .build = build_scan};
  return ovk__collective_create(&scan, scan_call(ctx, spec, send, receive, count, type, op), out);
}

ovk_err ovk_collective_create_exscan(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, ovk_type type, ovk_op op,
                                     ovk_collective **out)
{
  static const ovk__operation exscan = {.name = "iexscan",
                                        .out = OVK__BLOCK,
                                        .in = OVK__BLOCK,
                                        .combines = true,
                                        .build = build_exscan};
  return ovk__collective_create(&exscan, scan_call(ctx, spec, send, receive, count, type, op), out);
}
