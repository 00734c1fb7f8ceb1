/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations that move items from rank to rank, or wait for all ranks. */
#ifndef OVKRYLOV_COMM_COLLECTIVES_MOVE_H
#define OVKRYLOV_COMM_COLLECTIVES_MOVE_H

#include <ovkrylov/comm/collective.h>

OVK_BEGIN_DECLS

/**
 * Create a barrier by n-way dissemination. Collective. The key ways= is n, 1 to 7 (default 1): a
 * larger n has more messages in fewer rounds. With levels= as in the backend "nbc", only the
 * leaders of the groups disseminate, and binomial trees connect them to their members. channel= is
 * that of ovk_collective_create_bcast().
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return OVK_ERR_ARG (also if arguments differ that must be the same on all ranks, or a rank sends
 *         more or fewer items than another expects), OVK_ERR_UNKNOWN, OVK_ERR_UNSUPPORTED,
 * OVK_ERR_MEMORY; over verbs also OVK_ERR_NETWORK, and OVK_ERR_RANGE if a message is longer than
 * the NIC allows
 */
OVK_API ovk_err ovk_collective_create_barrier(ovk_ctx *ctx, const char *spec, ovk_collective **out);

/**
 * Create a broadcast of `count` items from `root`. Collective. The keys
 * alg=flat|doubling|kary|tree|nary|auto, levels= and channel= are those of the backend "nbc".
 *
 * fragment= splits the vector into fragments of at most this many bytes, and at least one item.
 * window= fragments are in flight at once (1 to 64; default 4): while a rank forwards a fragment,
 * the next one arrives. A rank starts a further fragment when it calls the library. Default: one
 * fragment.
 *
 * @param data  the items, which `root` sends and the others receive
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_bcast(ovk_ctx *ctx, const char *spec, void *data, int count,
                                            size_t size, int root, ovk_collective **out);

/**
 * Create a gather: `root` receives the `count` items of every rank, in the order of ranks.
 * Collective.
 *
 * Over "nbc", the key window= limits the number of messages that a rank has in flight in each
 * direction. All of them must be complete before it starts the next window. Default: no limit, so
 * that all messages start in begin. Most MPI implementations progress long messages only while both
 * ranks call MPI. collective.h describes window= over "verbs".
 *
 * @param send     the items of this rank; on `root` it may be their place in `receive`
 * @param receive  the items of all ranks; ignored on ranks other than `root`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_gather(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, size_t size, int root,
                                             ovk_collective **out);

/**
 * Create a gather with different shares, otherwise as ovk_collective_create_gather(). Collective.
 *
 * @param count  items of this rank; `counts` of `root` must have the same number
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_gatherv(ovk_ctx *ctx, const char *spec, const void *send,
                                              int count, void *receive, const int *counts,
                                              const int64_t *offsets, size_t size, int root,
                                              ovk_collective **out);

/**
 * Create a scatter: every rank receives its `count` items from `root`. Collective. window= is that
 * of ovk_collective_create_gather().
 *
 * @param send     the items of all ranks; ignored on ranks other than `root`
 * @param receive  the items of this rank; on `root` it may be their place in `send`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                              void *receive, int count, size_t size, int root,
                                              ovk_collective **out);

/**
 * Create a scatter with different shares, otherwise as ovk_collective_create_scatter(). Collective.
 *
 * @param count  items of this rank; `counts` of `root` must have the same number
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scatterv(ovk_ctx *ctx, const char *spec, const void *send,
                                               const int *counts, const int64_t *offsets,
                                               void *receive, int count, size_t size, int root,
                                               ovk_collective **out);

/**
 * Create an all-gather: all ranks receive the items of every rank, in the order of ranks.
 * Collective. alg=flat is the default, with window= of ovk_collective_create_gather(). alg=ring,
 * from neighbor to neighbor, is for long vectors; alg=bruck, in ceil(log2 P) rounds (Bruck et al.
 * 1997), for short ones on many ranks.
 *
 * @param send  the items of this rank; it may be their place in `receive`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allgather(ovk_ctx *ctx, const char *spec, const void *send,
                                                void *receive, int count, size_t size,
                                                ovk_collective **out);

/**
 * Create an all-gather with different shares, otherwise as ovk_collective_create_allgather().
 * Collective.
 *
 * @param counts   the same on all ranks; this rank sends counts[own rank] items
 * @param offsets  may differ from rank to rank
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allgatherv(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, const int *counts,
                                                 const int64_t *offsets, size_t size,
                                                 ovk_collective **out);

/**
 * Create an all-to-all: every rank sends a share to every rank. Collective. In step s, rank r sends
 * to (r + s) mod P. window= is that of ovk_collective_create_gather(). alg=bruck sends short shares
 * in ceil(log2 P) rounds, each through other ranks. Two operations may
 * alternate: the program computes with the data of one while those of the other travel, as in the
 * FFT of Kandalla et al.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_alltoall(ovk_ctx *ctx, const char *spec, const void *send,
                                               void *receive, int count, size_t size,
                                               ovk_collective **out);

/**
 * Create an all-to-all with different shares, otherwise as ovk_collective_create_alltoall().
 * Collective.
 *
 * @param send_counts  items for each rank, equal to its `receive_counts` for this rank. A share
 *                     without items is not sent
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_alltoallv(ovk_ctx *ctx, const char *spec, const void *send,
                                                const int *send_counts, const int64_t *send_offsets,
                                                void *receive, const int *receive_counts,
                                                const int64_t *receive_offsets, size_t size,
                                                ovk_collective **out);

/**
 * Create an exchange with the neighbors of a Cartesian grid. Collective. The communicator of the
 * context was created by MPI_Cart_create().
 *
 * As in MPI_Neighbor_alltoall(), a rank exchanges a share with the previous and the next rank in
 * the first dimension, then in the second, and so on. A share for the next rank arrives there as
 * that of the previous one, and vice versa. This also holds if both are the same rank, or this
 * rank. At an end of the grid nothing is sent, and the share to receive is unchanged. window= is
 * that of ovk_collective_create_gather().
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return OVK_ERR_ARG without a grid; otherwise as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_neighbor_alltoall(ovk_ctx *ctx, const char *spec,
                                                        const void *send, void *receive, int count,
                                                        size_t size, ovk_collective **out);

/**
 * Create an exchange with neighbors and different shares, otherwise as
 * ovk_collective_create_neighbor_alltoall(). Collective. All lists have two entries a dimension.
 *
 * @param send_counts  items for each neighbor, equal to its `receive_counts` for this rank
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_neighbor_alltoall()
 */
OVK_API ovk_err ovk_collective_create_neighbor_alltoallv(ovk_ctx *ctx, const char *spec,
                                                         const void *send, const int *send_counts,
                                                         const int64_t *send_offsets, void *receive,
                                                         const int *receive_counts,
                                                         const int64_t *receive_offsets,
                                                         size_t size, ovk_collective **out);

OVK_END_DECLS

#endif
