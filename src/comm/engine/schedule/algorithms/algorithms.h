/* SPDX-License-Identifier: BSD-2-Clause */
/* The algorithms: each adds the rounds in which the group of the builder executes one operation. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_ALGORITHMS_ALGORITHMS_H
#define OVK_COMM_ENGINE_SCHEDULE_ALGORITHMS_ALGORITHMS_H

#include "comm/engine/schedule/builder.h"

/* All-reduces of the `count` elements at `at`, in place. The vectors of other ranks are received
 * from `scratch` on. All members get the same bits.
 *
 * By recursive k-ing, k >= 2. If k is the size of the group, all send to all and add in the order
 * of indices. */
void ovk__build_kary_allreduce(ovk__builder *b, int k, ovk_place at, ovk_place scratch,
                               size_t count);

/* By a ring of segments. */
void ovk__build_ring_allreduce(ovk__builder *b, ovk_place at, ovk_place scratch, size_t count);

/* By recursive halving, then doubling, of segments. */
void ovk__build_halving_allreduce(ovk__builder *b, ovk_place at, ovk_place scratch, size_t count);

/* A reduction over a k-nomial tree, k >= 2, of the vectors at `from` to `to` of index 0. Other
 * indices that have children use `to`, too; it may be the same as `from`. If k is the size of the
 * group, all send to index 0, which adds in the order of indices. */
void ovk__build_tree_reduce(ovk__builder *b, int k, ovk_place from, ovk_place to, ovk_place scratch,
                            size_t count);

/* A broadcast over a k-nomial tree of the vector of index 0 at `at`, in place. */
void ovk__build_tree_bcast(ovk__builder *b, int k, ovk_place at, size_t count);

/* The same over N-ary trees, n >= 1, in which an index has up to n children whatever its depth;
 * n = 2: binary trees. */
void ovk__build_nary_reduce(ovk__builder *b, int n, ovk_place from, ovk_place to, ovk_place scratch,
                            size_t count);
void ovk__build_nary_bcast(ovk__builder *b, int n, ovk_place at, size_t count);

/* n-way dissemination: no index completes it before all have begun it. */
void ovk__build_dissemination(ovk__builder *b, int ways);

/* The two halves of the ring all-reduce, with a segment for each index; each takes size - 1 rounds.
 *
 * A reduce-scatter: of the vectors at `from`, which is only read, each index gets the sum of
 * the segment with its number at `to`. Needs space for two segments at `scratch`. */
void ovk__build_ring_reduce_scatter(ovk__builder *b, const ovk__segment *segments, ovk_place from,
                                    ovk_place to, ovk_place scratch);

/* An all-gather: each index has one segment of `at` and receives all others. */
void ovk__build_ring_allgather(ovk__builder *b, const ovk__segment *segments, ovk_place at);

#endif
