/* SPDX-License-Identifier: BSD-2-Clause */
/* The all-to-all schedule. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

ovk_err ovk__schedule_alltoall(ovk_ctx *ctx, int size, int rank, const ovk__segment *to,
                               const ovk__segment *from, int window, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int step = 1; step < size; step++) {
    const int receiver = ovk__pairwise_to(&b, step), sender = ovk__pairwise_from(&b, step);
    ovk__pairwise_turn(&b, step, window);
    ovk__pairwise_send(&b, receiver, OVK_INPUT, to[receiver]);
    ovk__pairwise_receive(&b, sender, OVK_OUTPUT, from[sender]);
  }
  ovk__pairwise_keep(&b, to[rank].first, from[rank].first, to[rank].count);
  return ovk__build_end(&b);
}
