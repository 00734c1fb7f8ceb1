/* SPDX-License-Identifier: BSD-2-Clause */
/* Reduce-scatter schedules: each rank gets a segment of the combined vector. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

/* The place of the contribution of a rank to the segment of this rank: its own is in the input, the
 * others are in sequence in the work buffer. */
static ovk_place contribution_of(const ovk__builder *b, int rank, ovk__segment own)
{
  const int index = b->group.index;
  if (rank == index) return (ovk_place){OVK_INPUT, own.first};
  return (ovk_place){OVK_WORK, (size_t)(rank < index ? rank : rank - 1) * own.count};
}

ovk_err ovk__schedule_reduce_scatter(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                     int window, ovk__schedule *out)
{
  const ovk__segment own = segments[rank];
  const ovk_place result = {OVK_OUTPUT, 0};
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int step = 1; step < size; step++) {
    const int to = ovk__pairwise_to(&b, step), from = ovk__pairwise_from(&b, step);
    const ovk_place place = contribution_of(&b, from, own);
    ovk__pairwise_turn(&b, step, window);
    ovk__pairwise_send(&b, to, OVK_INPUT, segments[to]);
    ovk__pairwise_receive(&b, from, place.buffer, (ovk__segment){place.first, own.count});
  }
  ovk__build_copy(&b, contribution_of(&b, 0, own), result, own.count);
  for (int other = 1; other < size; other++) {
    ovk__build_combine(&b, contribution_of(&b, other, own), result, own.count);
  }
  return ovk__build_end(&b);
}

ovk_err ovk__schedule_reduce_scatter_ring(ovk_ctx *ctx, int size, int rank,
                                          const ovk__segment *segments, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  ovk__build_ring_reduce_scatter(&b, segments, (ovk_place){OVK_INPUT, 0},
                                 (ovk_place){OVK_OUTPUT, 0}, (ovk_place){OVK_WORK, 0});
  return ovk__build_end(&b);
}
