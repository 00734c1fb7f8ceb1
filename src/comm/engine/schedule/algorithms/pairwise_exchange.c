/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedules in which each pair of ranks exchanges its elements directly, and the steps of such
 * exchanges. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

static const ovk_place input = {OVK_INPUT, 0}, output = {OVK_OUTPUT, 0};

ovk__builder ovk__pairwise_begin(ovk_ctx *ctx, int size, int rank, ovk__schedule *out)
{
  ovk__builder b = ovk__build_begin(ctx, (ovk__group){.size = size, .index = rank}, out);
  ovk__build_round(&b);
  return b;
}

/* Before each step: begins a new round if the window is full. */
static void pairwise_turn(ovk__builder *b, int step, int window)
{
  if (window != OVK__NO_WINDOW && step > 1 && (step - 1) % window == 0) ovk__build_round(b);
}

/* 64 bits: index + size may exceed INT_MAX. */
static int wrap(const ovk__builder *b, int64_t index)
{
  return (int)(index % b->group.size);
}

int ovk__pairwise_to(const ovk__builder *b, int step)
{
  return wrap(b, (int64_t)b->group.index + step);
}

int ovk__pairwise_from(const ovk__builder *b, int step)
{
  return wrap(b, (int64_t)b->group.index + b->group.size - step);
}

/* The copy of the elements that a rank keeps, after the messages of the last round. */
static void pairwise_keep(ovk__builder *b, size_t from, size_t to, size_t count)
{
  ovk__build_copy(b, ovk__place_after(input, from), ovk__place_after(output, to), count);
}

ovk_err ovk__schedule_gather(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                             const ovk__segment *segments, int window, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  if (rank != root) {
    ovk__build_send_segment(&b, root, input, (ovk__segment){0, count});
    return ovk__build_end(&b);
  }
  for (int step = 1; step < size; step++) {
    const int peer = ovk__pairwise_from(&b, step);
    pairwise_turn(&b, step, window);
    ovk__build_receive_segment(&b, peer, output, segments[peer]);
  }
  pairwise_keep(&b, 0, segments[rank].first, count);
  return ovk__build_end(&b);
}

ovk_err ovk__schedule_scatter(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                              const ovk__segment *segments, int window, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  if (rank != root) {
    ovk__build_receive_segment(&b, root, output, (ovk__segment){0, count});
    return ovk__build_end(&b);
  }
  for (int step = 1; step < size; step++) {
    const int peer = ovk__pairwise_to(&b, step);
    pairwise_turn(&b, step, window);
    ovk__build_send_segment(&b, peer, input, segments[peer]);
  }
  pairwise_keep(&b, segments[rank].first, 0, count);
  return ovk__build_end(&b);
}

ovk_err ovk__schedule_allgather(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                int window, ovk__schedule *out)
{
  const ovk__segment own = segments[rank];
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int step = 1; step < size; step++) {
    const int from = ovk__pairwise_from(&b, step);
    pairwise_turn(&b, step, window);
    ovk__build_send_segment(&b, ovk__pairwise_to(&b, step), input, (ovk__segment){0, own.count});
    ovk__build_receive_segment(&b, from, output, segments[from]);
  }
  pairwise_keep(&b, 0, own.first, own.count);
  return ovk__build_end(&b);
}

ovk_err ovk__schedule_allgather_ring(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                     ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  pairwise_keep(&b, 0, segments[rank].first, segments[rank].count);
  ovk__build_ring_allgather(&b, segments, output);
  return ovk__build_end(&b);
}

ovk_err ovk__schedule_alltoall(ovk_ctx *ctx, int size, int rank, const ovk__segment *to,
                               const ovk__segment *from, int window, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int step = 1; step < size; step++) {
    const int receiver = ovk__pairwise_to(&b, step), sender = ovk__pairwise_from(&b, step);
    pairwise_turn(&b, step, window);
    ovk__build_send_segment(&b, receiver, input, to[receiver]);
    ovk__build_receive_segment(&b, sender, output, from[sender]);
  }
  pairwise_keep(&b, to[rank].first, from[rank].first, to[rank].count);
  return ovk__build_end(&b);
}

/* In the step of a direction all ranks send in this direction and receive from the opposite one. So
 * messages between two ranks that are neighbors on both sides leave and arrive in the same order.
 */
ovk_err ovk__schedule_neighbors(ovk_ctx *ctx, int size, int rank, const int *neighbors, int n,
                                const ovk__segment *to, const ovk__segment *from, int window,
                                ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int k = 0; k < n; k++) {
    const int receiver = neighbors[k], sender = neighbors[k ^ 1];
    pairwise_turn(&b, k + 1, window);
    if (receiver != rank && receiver != MPI_PROC_NULL)
      ovk__build_send_segment(&b, receiver, input, to[k]);
    if (sender != rank && sender != MPI_PROC_NULL)
      ovk__build_receive_segment(&b, sender, output, from[k ^ 1]);
  }
  for (int k = 0; k < n; k++) { /* alone in a periodic dimension */
    if (neighbors[k] == rank) pairwise_keep(&b, to[k].first, from[k ^ 1].first, to[k].count);
  }
  return ovk__build_end(&b);
}

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
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  for (int step = 1; step < size; step++) {
    const int to = ovk__pairwise_to(&b, step), from = ovk__pairwise_from(&b, step);
    const ovk_place place = contribution_of(&b, from, own);
    pairwise_turn(&b, step, window);
    ovk__build_send_segment(&b, to, input, segments[to]);
    ovk__build_receive_segment(&b, from, place, (ovk__segment){0, own.count});
  }
  ovk__build_copy(&b, contribution_of(&b, 0, own), output, own.count);
  for (int other = 1; other < size; other++) {
    ovk__build_combine(&b, contribution_of(&b, other, own), output, own.count);
  }
  return ovk__build_end(&b);
}

ovk_err ovk__schedule_reduce_scatter_ring(ovk_ctx *ctx, int size, int rank,
                                          const ovk__segment *segments, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  ovk__build_ring_reduce_scatter(&b, segments, input, output, (ovk_place){OVK_WORK, 0});
  return ovk__build_end(&b);
}

/* n-way dissemination: a rank that knows that the w ranks ending at itself have entered sends to n
 * others, at distances w, 2 w, ..., n w, and then knows it of (n + 1) w ranks. */
void ovk__build_dissemination(ovk__builder *b, int ways)
{
  static const ovk_place nothing = {OVK_WORK, 0};
  const int size = b->group.size;
  for (int64_t heard = 1; heard < size; heard *= ways + 1) {
    ovk__build_round(b);
    for (int64_t distance = heard; distance < size && distance <= ways * heard; distance += heard) {
      ovk__build_send(b, ovk__pairwise_to(b, (int)distance), nothing, 0);
      ovk__build_receive(b, ovk__pairwise_from(b, (int)distance), nothing, 0);
    }
  }
}
