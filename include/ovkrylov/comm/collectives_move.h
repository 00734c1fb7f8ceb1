/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations that move items from rank to rank, or wait for all ranks. */
#ifndef OVKRYLOV_COMM_COLLECTIVES_MOVE_H
#define OVKRYLOV_COMM_COLLECTIVES_MOVE_H

#include <ovkrylov/comm/collective.h>

OVK_BEGIN_DECLS

/**
 * A barrier by n-way dissemination, n from `ways=` (1 to 7; default 1): more messages in fewer
 * rounds. With levels= as in the backend "nbc", only the leaders of the groups disseminate; their
 * members reach them over binomial trees. channel= as for ovk_collective_create_bcast().
 * Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return OVK_ERR_ARG (also where ranks differ in what must be the same, or send what others do not
 *         expect), OVK_ERR_UNKNOWN, OVK_ERR_UNSUPPORTED, OVK_ERR_MEMORY; over verbs also
 *         OVK_ERR_NETWORK, and OVK_ERR_RANGE if a message is longer than the adapter takes
 */
OVK_API ovk_err ovk_collective_create_barrier(ovk_ctx *ctx, const char *spec, ovk_collective **out);

/**
 * A broadcast of `count` items from `root`, over alg=flat|doubling|kary|tree|nary|auto, levels=
 * and channel= as in the backend "nbc". Collective.
 *
 * fragment= cuts the vector into pieces of so many bytes at most, and of one item at least, of
 * which window= are in flight at once (1 to 64; default 4): while one is passed on, the next
 * arrives. A piece that follows another is begun when this rank calls the library. Default: one
 * piece.
 *
 * @param data  what `root` sends and the others receive
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_bcast(ovk_ctx *ctx, const char *spec, void *data, int count,
                                            size_t size, int root, ovk_collective **out);

/**
 * Every rank's `count` items to `root`, in the order of ranks. Collective.
 *
 * Here, and wherever it is named below, `window=` limits how many messages in each direction a rank
 * has in flight over "nbc"; all of them must be over before it starts the next so many. Default: no
 * limit, so that all start in begin. Even so most MPIs move long messages only while both ranks
 * call MPI. (Over "verbs": see above.)
 *
 * @param send     this rank's items; on `root` it may be their place in `receive`
 * @param receive  not looked at on other ranks than `root`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_gather(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, size_t size, int root,
                                             ovk_collective **out);

/**
 * As ovk_collective_create_gather(), with different shares. Collective.
 *
 * @param count  items of this rank; `root` must give the same in `counts`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_gatherv(ovk_ctx *ctx, const char *spec, const void *send,
                                              int count, void *receive, const int *counts,
                                              const int64_t *offsets, size_t size, int root,
                                              ovk_collective **out);

/**
 * To every rank its `count` items from `root`. `window=`, see ovk_collective_create_gather().
 * Collective.
 *
 * @param send     all ranks' items; not looked at on other ranks than `root`
 * @param receive  this rank's items; on `root` it may be their place in `send`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scatter(ovk_ctx *ctx, const char *spec, const void *send,
                                              void *receive, int count, size_t size, int root,
                                              ovk_collective **out);

/**
 * As ovk_collective_create_scatter(), with different shares. Collective.
 *
 * @param count  items of this rank; `root` must give the same in `counts`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scatterv(ovk_ctx *ctx, const char *spec, const void *send,
                                               const int *counts, const int64_t *offsets,
                                               void *receive, int count, size_t size, int root,
                                               ovk_collective **out);

/**
 * Every rank's items to all ranks, in the order of ranks. alg=flat (default), with `window=`, see
 * ovk_collective_create_gather(); or alg=ring, from neighbour to neighbour, for long vectors.
 * Collective.
 *
 * @param send  this rank's items; it may be their place in `receive`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allgather(ovk_ctx *ctx, const char *spec, const void *send,
                                                void *receive, int count, size_t size,
                                                ovk_collective **out);

/**
 * As ovk_collective_create_allgather(), with different shares. Collective.
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
 * From every rank to every rank its share. Collective. Step s goes to the rank s behind this one;
 * `window=`, see ovk_collective_create_gather(). Two of them may alternate, so that the data of one
 * travel while one works on those of the other, as Kandalla et al. do in their FFT.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_alltoall(ovk_ctx *ctx, const char *spec, const void *send,
                                               void *receive, int count, size_t size,
                                               ovk_collective **out);

/**
 * As ovk_collective_create_alltoall(), with different shares. Collective.
 *
 * @param send_counts  what this rank sends to each; the other must expect as much in its
 *                     `receive_counts`. Nothing is sent where there are no items
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_alltoallv(ovk_ctx *ctx, const char *spec, const void *send,
                                                const int *send_counts, const int64_t *send_offsets,
                                                void *receive, const int *receive_counts,
                                                const int64_t *receive_offsets, size_t size,
                                                ovk_collective **out);

/**
 * The exchange with the neighbours in the grid of the context's communicator, which has been made
 * with MPI_Cart_create(): as MPI_Neighbor_alltoall(), a share to and from the previous and the next
 * rank in the first dimension, then in the second, and so on. What leaves for the next rank arrives
 * there as that of the previous one, and the other way round, also where both are the same rank, or
 * this one. Where the grid ends nothing is sent, and the share to be received is left alone.
 * `window=`, see ovk_collective_create_gather(). Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return OVK_ERR_ARG where there is no grid; else as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_neighbor_alltoall(ovk_ctx *ctx, const char *spec,
                                                        const void *send, void *receive, int count,
                                                        size_t size, ovk_collective **out);

/**
 * As ovk_collective_create_neighbor_alltoall(), with different shares: all lists have two entries
 * for each dimension. Collective.
 *
 * @param send_counts  the neighbour must expect as much in its `receive_counts`
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
