/* SPDX-License-Identifier: BSD-2-Clause */
/* The algorithms, as parts of schedules: each adds the rounds in which the builder's group does
 * something together. */
#ifndef OVK_ENGINE_SCHEDULE_ALGORITHMS_H
#define OVK_ENGINE_SCHEDULE_ALGORITHMS_H

#include "engine/schedule/builder.h"

/* All-reduces of the `count` elements at `at`, in place; vectors of others arrive at `scratch` and
 * behind. All members get the same bits.
 *
 * By recursive k-ing, k >= 2; with k the size of the group, everyone sends to everyone and adds up
 * in the order of indices. */
void ovk__build_kary_allreduce(ovk__builder *b, int k, ovk__place at, ovk__place scratch,
                               size_t count);

/* In segments that go round the group. */
void ovk__build_ring_allreduce(ovk__builder *b, ovk__place at, ovk__place scratch, size_t count);

/* A reduction over a k-nomial tree, k >= 2, of what each has at `from` to `to` of index 0. Others
 * use `to` as well, if there are ranks below them; it may be the same as `from`. With k the size of
 * the group, everyone sends to index 0, which adds up in the order of indices. */
void ovk__build_tree_reduce(ovk__builder *b, int k, ovk__place from, ovk__place to,
                            ovk__place scratch, size_t count);

/* A broadcast over a k-nomial tree of what index 0 has at `at`, in place. */
void ovk__build_tree_bcast(ovk__builder *b, int k, ovk__place at, size_t count);

/* A part of a vector; it may be empty. */
typedef struct ovk__segment {
  size_t first, count;
} ovk__segment;

/* The two halves of the ring, with a segment for each index; they cost size - 1 rounds each.
 * A reduce-scatter: of the vectors at `from`, which is only read, each gets the sum of its own
 * segment at `to`. Needs room for two segments at `scratch`. */
void ovk__build_ring_reduce_scatter(ovk__builder *b, const ovk__segment *segments, ovk__place from,
                                    ovk__place to, ovk__place scratch);

/* An all-gather: each has its own segment of `at` and gets all others. */
void ovk__build_ring_allgather(ovk__builder *b, const ovk__segment *segments, ovk__place at);

#endif
