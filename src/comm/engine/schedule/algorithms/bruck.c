/* SPDX-License-Identifier: BSD-2-Clause */
/* The algorithms of Bruck et al. (IEEE Trans. Parallel Distrib. Syst. 8, 1997): all-gathers and
 * all-to-alls of short shares in ceil(log2 P) rounds, for any number of ranks. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

static ovk_place work_at(size_t first)
{
  return (ovk_place){OVK_WORK, first};
}

/* Elements of the shares of `n` ranks from `rank` on, cyclically. */
static size_t length_of(const ovk__builder *b, const ovk__segment *segments, int64_t rank, int n)
{
  size_t length = 0;
  for (int k = 0; k < n; k++) length += segments[(rank + k) % b->group.size].count;
  return length;
}

/* OVK_WORK has the shares from that of this rank on: 1, 2, 4, ... of them. In each round a rank
 * gets those that follow from the rank that has them first. */
ovk_err ovk__schedule_allgather_bruck(ovk_ctx *ctx, int size, int rank,
                                      const ovk__segment *segments, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  ovk__build_copy(&b, (ovk_place){OVK_INPUT, 0}, work_at(0), segments[rank].count);
  for (int64_t d = 1; d < size; d *= 2) {
    const int n = d < size - d ? (int)d : (int)(size - d); /* shares to send */
    const size_t has = length_of(&b, segments, rank, (int)d);
    const size_t gets = length_of(&b, segments, rank + d, n);
    const ovk__segment sent = {0, length_of(&b, segments, rank, n)};
    ovk__build_round(&b);
    ovk__build_send_segment(&b, ovk__pairwise_from(&b, (int)d), work_at(0), sent);
    ovk__build_receive_segment(&b, ovk__pairwise_to(&b, (int)d), work_at(0),
                               (ovk__segment){has, gets});
  }
  for (int k = 0; k < size; k++) {
    const ovk__segment share = segments[((int64_t)rank + k) % size];
    ovk__build_copy(&b, work_at(length_of(&b, segments, rank, k)),
                    (ovk_place){OVK_OUTPUT, share.first}, share.count);
  }
  return ovk__build_end(&b);
}

/* OVK_WORK: in place k the share for the rank k after this one, later that of the rank k before it.
 * Then the shares to send, and those that arrive. */
typedef struct exchange {
  ovk__builder *b;
  size_t count;
} exchange;

/* Copies the shares whose number has this bit between their places and a packed row; returns how
 * many. */
static size_t pack(const exchange *e, int64_t bit, size_t row, bool back)
{
  size_t n = 0;
  for (int64_t k = 0; k < e->b->group.size; k++) {
    if (!(k & bit)) continue;
    const ovk_place place = work_at((size_t)k * e->count), packed = work_at(row + n++ * e->count);
    ovk__build_copy(e->b, back ? packed : place, back ? place : packed, e->count);
  }
  return n;
}

ovk_err ovk__schedule_alltoall_bruck(ovk_ctx *ctx, int size, int rank, const ovk__segment *to,
                                     const ovk__segment *from, ovk__schedule *out)
{
  ovk__builder b = ovk__pairwise_begin(ctx, size, rank, out);
  const exchange e = {&b, to[rank].count};
  const size_t sent = (size_t)size * e.count, arrives = 2 * sent;
  for (int k = 0; k < size; k++) {
    ovk__build_copy(&b, (ovk_place){OVK_INPUT, to[((int64_t)rank + k) % size].first},
                    work_at((size_t)k * e.count), e.count);
  }
  for (int64_t bit = 1; bit < size && e.count; bit *= 2) {
    const size_t length = pack(&e, bit, sent, false) * e.count;
    ovk__build_round(&b);
    ovk__build_send_segment(&b, ovk__pairwise_to(&b, (int)bit), work_at(0),
                            (ovk__segment){sent, length});
    ovk__build_receive_segment(&b, ovk__pairwise_from(&b, (int)bit), work_at(0),
                               (ovk__segment){arrives, length});
    (void)pack(&e, bit, arrives, true);
  }
  for (int k = 0; k < size; k++) {
    ovk__build_copy(&b, work_at((size_t)k * e.count),
                    (ovk_place){OVK_OUTPUT, from[((int64_t)rank + size - k) % size].first},
                    e.count);
  }
  return ovk__build_end(&b);
}
