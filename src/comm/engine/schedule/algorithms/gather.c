/* SPDX-License-Identifier: BSD-2-Clause */
/* The gather schedule: all ranks' elements to the root. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

ovk_err ovk__schedule_gather(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                             const ovk__segment *segments, int window, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  if (rank != root) {
    ovk__pairwise_send(&b, root, OVK_INPUT, (ovk__segment){0, count});
    return ovk__build_end(&b);
  }
  for (int step = 1; step < size; step++) {
    const int peer = ovk__pairwise_from(&b, step);
    ovk__pairwise_turn(&b, step, window);
    ovk__pairwise_receive(&b, peer, OVK_OUTPUT, segments[peer]);
  }
  ovk__pairwise_keep(&b, 0, segments[rank].first, count);
  return ovk__build_end(&b);
}
