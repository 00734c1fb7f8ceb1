/* SPDX-License-Identifier: BSD-2-Clause */
/* The scatter schedule: the root's elements to all ranks. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

ovk_err ovk__schedule_scatter(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                              const ovk__segment *segments, int window, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  if (rank != root) {
    ovk__pairwise_receive(&b, root, OVK_OUTPUT, (ovk__segment){0, count});
    return ovk__build_end(&b);
  }
  for (int step = 1; step < size; step++) {
    const int peer = ovk__pairwise_to(&b, step);
    ovk__pairwise_turn(&b, step, window);
    ovk__pairwise_send(&b, peer, OVK_INPUT, segments[peer]);
  }
  ovk__pairwise_keep(&b, segments[rank].first, 0, count);
  return ovk__build_end(&b);
}
