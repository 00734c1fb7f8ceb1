/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring: a vector has as many segments as there are ranks; in each round each rank sends a
 * segment to its neighbor (Patarasuk, Yuan, J. Parallel Distrib. Comput. 69, 2009). All links are
 * busy in all rounds, and each rank sends 2 (P - 1) / P of the vector, the lower bound. Empty
 * segments are not sent. */
#include "comm/engine/schedule/algorithms/algorithms.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* The neighbors of this rank in the ring, and the segments. */
typedef struct ring {
  int size, index, next, previous;
  const ovk__segment *segments;
} ring;

static ring ring_of(const ovk__builder *b, const ovk__segment *segments)
{
  const int size = b->group.size, index = b->group.index;
  return (ring){size, index, (index + 1) % size, (index + size - 1) % size, segments};
}

/* The segment of the rank `steps` < size before this one. */
static ovk__segment segment_before(const ring *r, int steps)
{
  return r->segments[(r->index + r->size - steps) % r->size];
}

static size_t longest(const ring *r)
{
  size_t most = 0;
  for (int k = 0; k < r->size; k++) {
    if (r->segments[k].count > most) most = r->segments[k].count;
  }
  return most;
}

/* The sum of a segment starts at the rank after its owner, passes all ranks of the ring and ends at
 * the owner. On the way two places alternate: one receives while the other one is sent. */
void ovk__build_ring_reduce_scatter(ovk__builder *b, const ovk__segment *segments, ovk_place from,
                                    ovk_place to, ovk_place scratch)
{
  const ring r = ring_of(b, segments);
  const ovk__segment own = segments[r.index];
  const ovk_place own_place = ovk__place_after(from, own.first);
  ovk_place ready = ovk__place_after(from, segment_before(&r, 1 % r.size).first),
            arriving = scratch, spare = ovk__place_after(scratch, longest(&r));
  for (int step = 1; step < r.size; step++) {
    const ovk__segment arrives = segment_before(&r, (step + 1) % r.size);
    ovk__build_round(b);
    ovk__build_send_segment(b, r.next, ready, (ovk__segment){0, segment_before(&r, step).count});
    ovk__build_receive_segment(b, r.previous, arriving, (ovk__segment){0, arrives.count});
    if (step == r.size - 1) break;
    ovk__build_combine(b, ovk__place_after(from, arrives.first), arriving, arrives.count);
    ready = arriving;
    arriving = spare;
    spare = ready;
  }
  if (r.size == 1) ovk__build_round(b);
  ovk__build_copy(b, own_place, to, own.count);
  if (r.size > 1) ovk__build_combine(b, arriving, to, own.count);
}

void ovk__build_ring_allgather(ovk__builder *b, const ovk__segment *segments, ovk_place at)
{
  const ring r = ring_of(b, segments);
  for (int step = 0; step + 1 < r.size; step++) {
    ovk__build_round(b);
    ovk__build_send_segment(b, r.next, at, segment_before(&r, step));
    ovk__build_receive_segment(b, r.previous, at, segment_before(&r, step + 1));
  }
}

void ovk__build_ring_allreduce(ovk__builder *b, ovk_place at, ovk_place scratch, size_t count)
{
  const int n = b->group.size;
  ovk__segment *segments = ovk__array((size_t)n, sizeof *segments);
  if (!segments) {
    b->err = OVK_FAIL(b->ctx, OVK_ERR_MEMORY, "no memory for a ring of %d ranks", n);
    return;
  }
  for (int k = 0; k < n; k++) segments[k] = ovk__segments_of(count, k, 1, n);
  const ovk_place own = ovk__place_after(at, segments[b->group.index].first);
  ovk__build_ring_reduce_scatter(b, segments, at, own, scratch);
  ovk__build_ring_allgather(b, segments, at);
  free(segments);
}
