/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of the collective operations without levels; algorithm_spec.h has those with levels. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_ALGORITHMS_COLLECTIVES_H
#define OVK_COMM_ENGINE_SCHEDULE_ALGORITHMS_COLLECTIVES_H

#include "comm/engine/schedule/algorithms/algorithms.h"

/* No limit to the messages in flight. */
enum { OVK__NO_WINDOW = 0 };

/* All functions build the schedule of `rank` among `size` ranks, from OVK_INPUT to OVK_OUTPUT.
 * Elements of the rank itself are copied, so that both buffers may be the same. Lists of segments
 * have one segment for each rank: its share of a buffer. Empty segments are not sent. `window`: the
 * number of steps in a round; a step has at most one message in each direction.
 * ovk__schedule_free() must be called also after an error. */

/* `count` elements of each rank into the segments of `root`, or from there to all ranks. Only the
 * root needs segments. */
ovk_err ovk__schedule_gather(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                             const ovk__segment *segments, int window, ovk__schedule *out);
ovk_err ovk__schedule_scatter(ovk_ctx *ctx, int size, int rank, int root, size_t count,
                              const ovk__segment *segments, int window, ovk__schedule *out);

/* Each rank's elements into its segment on all ranks; directly, by a ring, or by the algorithm of
 * Bruck et al. */
ovk_err ovk__schedule_allgather(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                int window, ovk__schedule *out);
ovk_err ovk__schedule_allgather_ring(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                     ovk__schedule *out);

ovk_err ovk__schedule_allgather_bruck(ovk_ctx *ctx, int size, int rank,
                                      const ovk__segment *segments, ovk__schedule *out);

/* Each rank sends its segment to[r] to rank r, which receives it in from[sender]. By the algorithm
 * of Bruck et al. only if all segments have the same length. */
ovk_err ovk__schedule_alltoall(ovk_ctx *ctx, int size, int rank, const ovk__segment *to,
                               const ovk__segment *from, int window, ovk__schedule *out);

ovk_err ovk__schedule_alltoall_bruck(ovk_ctx *ctx, int size, int rank, const ovk__segment *to,
                                     const ovk__segment *from, ovk__schedule *out);

/* The exchange with the `n` neighbors in a grid: neighbors[2 d] and [2 d + 1] are the previous
 * and the next rank in dimension d, or MPI_PROC_NULL. A message to one of the two is matched by a
 * message from the other: the segment to[k] arrives in from[k ^ 1] of neighbors[k]. */
ovk_err ovk__schedule_neighbors(ovk_ctx *ctx, int size, int rank, const int *neighbors, int n,
                                const ovk__segment *to, const ovk__segment *from, int window,
                                ovk__schedule *out);

/* Combines all ranks' vectors; each rank gets its segment of the result. Directly, combined in the
 * order of ranks; or by a ring. OVK_INPUT and OVK_OUTPUT must differ. */
ovk_err ovk__schedule_reduce_scatter(ovk_ctx *ctx, int size, int rank, const ovk__segment *segments,
                                     int window, ovk__schedule *out);
ovk_err ovk__schedule_reduce_scatter_ring(ovk_ctx *ctx, int size, int rank,
                                          const ovk__segment *segments, ovk__schedule *out);

/* Combines the vectors of the ranks up to this one, or up to the previous one, by recursive
 * doubling (Hillis, Steele, Comm. ACM 29, 1986). It combines only results of adjacent ranges of
 * ranks. */
ovk_err ovk__schedule_scan(ovk_ctx *ctx, int size, int rank, size_t count, ovk__schedule *out);
ovk_err ovk__schedule_exscan(ovk_ctx *ctx, int size, int rank, size_t count, ovk__schedule *out);

#endif
