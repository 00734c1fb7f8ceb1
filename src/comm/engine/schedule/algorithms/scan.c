/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive doubling: a rank that has combined the vectors of d ranks, up to itself, sends the
 * result to the rank at distance d after it, which then has combined 2 d vectors. A rank continues
 * to send after its own result is complete. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

static const ovk_place input = {OVK_INPUT, 0}, output = {OVK_OUTPUT, 0};

/* The round with this distance: sends `own` and receives at `arriving`. */
static void exchange(ovk__builder *b, int64_t distance, ovk_place own, ovk_place arriving,
                     size_t count)
{
  ovk__build_round(b);
  if (!count) return;
  if (b->group.index + distance < b->group.size) {
    ovk__build_send(b, ovk__pairwise_to(b, (int)distance), own, count);
  }
  if (b->group.index >= distance) {
    ovk__build_receive(b, ovk__pairwise_from(b, (int)distance), arriving, count);
  }
}

ovk_err ovk__schedule_scan(ovk_ctx *ctx, int size, int rank, size_t count, ovk__schedule *out)
{
  const ovk_place arriving = {OVK_WORK, 0};
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int64_t distance = 1; distance < size; distance *= 2) {
    exchange(&b, distance, distance == 1 ? input : output, arriving, count);
    if (distance == 1) ovk__build_copy(&b, input, output, count);
    if (rank >= distance) ovk__build_combine(&b, arriving, output, count);
  }
  if (size == 1) ovk__build_copy(&b, input, output, count);
  return ovk__build_end(&b);
}

/* The vector to send includes the part of this rank, the result does not. */
ovk_err ovk__schedule_exscan(ovk_ctx *ctx, int size, int rank, size_t count, ovk__schedule *out)
{
  const ovk_place arriving = {OVK_WORK, 0}, with_own = {OVK_WORK, count};
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int64_t distance = 1; distance < size; distance *= 2) {
    const bool first = distance == 1, last = rank + 2 * distance >= size;
    exchange(&b, distance, first || rank == 0 ? input : with_own, arriving, count);
    if (rank < distance) continue;
    if (first && !last) ovk__build_copy(&b, input, with_own, count);
    if (!last) ovk__build_combine(&b, arriving, with_own, count);
    if (first) {
      ovk__build_copy(&b, arriving, output, count);
    } else {
      ovk__build_combine(&b, arriving, output, count);
    }
  }
  return ovk__build_end(&b);
}
