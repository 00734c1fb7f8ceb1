/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of the collective operations that have no levels; those that have: shape.h. */
#ifndef OVK_ENGINE_SCHEDULE_COLLECTIVES_H
#define OVK_ENGINE_SCHEDULE_COLLECTIVES_H

#include "engine/schedule/algorithms.h"

/* No limit to the messages under way. */
enum { OVK__NO_WINDOW = 0 };

/* All of these build for `rank` of `size` ranks, from OVK__INPUT to OVK__OUTPUT. What a rank keeps
 * is copied, so there the two may be the same. Lists of segments have one for each rank: its share
 * of a buffer. Segments without elements do not travel. `window`: so many steps, of a message in
 * each direction at most, make a round. Whatever happens, ovk__schedule_free() is due. */

/* The n-way dissemination barrier (Hoefler et al., "Fast barrier synchronization for InfiniBand",
 * IPDPS 2006): ceil(log_{n+1} size) rounds, in which each rank tells n others. */
ovk_err ovk__schedule_barrier(ovk_ctx *ctx, int size, int rank, int ways, ovk__schedule *out);

/* `count` elements of each rank into the segments of `root`; or from there. Others than the root
 * need no segments. */
ovk_err ovk__schedule_gather(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                             const ovk__segment *segments, int window, ovk__schedule *out);
ovk_err ovk__schedule_scatter(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                              const ovk__segment *segments, int window, ovk__schedule *out);

/* Each rank's elements into its segment of all ranks, from each to all; or round the ring. */
ovk_err ovk__schedule_allgather(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                int window, ovk__schedule *out);
ovk_err ovk__schedule_allgather_ring(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                     ovk__schedule *out);

/* Every rank's segment `to[r]` to rank r, which has its `from[rank]` for it. */
ovk_err ovk__schedule_alltoall(ovk_ctx *ctx, int size, int rank, const ovk__segment *to,
                               const ovk__segment *from, int window, ovk__schedule *out);

/* Combines all ranks' vectors; each gets its segment of the result. From all to each, combined in
 * the order of ranks; or round the ring. OVK__INPUT and OVK__OUTPUT must not be the same. */
ovk_err ovk__schedule_reduce_scatter(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                     int window, ovk__schedule *out);
ovk_err ovk__schedule_reduce_scatter_ring(ovk_ctx *ctx, int size, int rank,
                                          const ovk__segment *segments, ovk__schedule *out);

/* Combines the vectors of the ranks up to this one, or up to the one before, by recursive doubling
 * (Hillis, Steele, Comm. ACM 29, 1986): ranks are combined with their neighbours only. */
ovk_err ovk__schedule_scan(ovk_ctx *ctx, int size, int rank, size_t count, ovk__schedule *out);
ovk_err ovk__schedule_exscan(ovk_ctx *ctx, int size, int rank, size_t count, ovk__schedule *out);

#endif
