/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedule of an exchange with the neighbors in a grid. In the step of a direction all ranks
 * send in this direction and receive from the opposite one. So messages between two ranks that are
 * neighbors on both sides leave and arrive in the same order. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

ovk_err ovk__schedule_neighbors(ovk_ctx *ctx, int size, int rank, const int *neighbors, int n,
                                const ovk__segment *to, const ovk__segment *from, int window,
                                ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int k = 0; k < n; k++) {
    const int receiver = neighbors[k], sender = neighbors[k ^ 1];
    ovk__pairwise_turn(&b, k + 1, window);
    if (receiver != rank && receiver != MPI_PROC_NULL)
      ovk__pairwise_send(&b, receiver, OVK_INPUT, to[k]);
    if (sender != rank && sender != MPI_PROC_NULL)
      ovk__pairwise_receive(&b, sender, OVK_OUTPUT, from[k ^ 1]);
  }
  for (int k = 0; k < n; k++) { /* alone in a periodic dimension */
    if (neighbors[k] == rank) ovk__pairwise_keep(&b, to[k].first, from[k ^ 1].first, to[k].count);
  }
  return ovk__build_end(&b);
}
