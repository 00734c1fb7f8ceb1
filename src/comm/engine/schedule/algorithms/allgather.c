/* SPDX-License-Identifier: BSD-2-Clause */
/* All-gather schedules: all ranks' elements to all ranks. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

ovk_err ovk__schedule_allgather(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                int window, ovk__schedule *out)
{
  const ovk__segment own = segments[rank];
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int step = 1; step < size; step++) {
    const int from = ovk__pairwise_from(&b, step);
    ovk__pairwise_turn(&b, step, window);
    ovk__pairwise_send(&b, ovk__pairwise_to(&b, step), OVK_INPUT, (ovk__segment){0, own.count});
    ovk__pairwise_receive(&b, from, OVK_OUTPUT, segments[from]);
  }
  ovk__pairwise_keep(&b, 0, own.first, own.count);
  return ovk__build_end(&b);
}

ovk_err ovk__schedule_allgather_ring(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                     ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  ovk__pairwise_keep(&b, 0, segments[rank].first, segments[rank].count);
  ovk__build_ring_allgather(&b, segments, (ovk_place){OVK_OUTPUT, 0});
  return ovk__build_end(&b);
}
