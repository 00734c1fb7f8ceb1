/* SPDX-License-Identifier: BSD-2-Clause */
/* Non-blocking collective operations on the library's own engine, as LibNBC has them (Hoefler,
 * Lumsdaine, Rehm, SC'07), each to be carried out again and again. */
#ifndef OVKRYLOV_COLLECTIVES_H
#define OVKRYLOV_COLLECTIVES_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/poll.h>
#include <stdbool.h>
#include <stddef.h>

OVK_BEGIN_DECLS

/**
 * A persistent collective operation: make it once, then begin, work, wait; again and again. It
 * allocates nothing after it is made. All ranks make the same operations in the same order, and
 * begin each of them the same number of times; several may be in flight at once, and ranks may wait
 * for them in different orders. Between begin and the end of wait its buffers belong to the
 * operation: what it reads must not be written, what it writes must not be touched.
 *
 * Over MPI nothing moves by itself; over verbs, see below, what a rank has sent does. Test and the
 * hook move their own operation on; whoever waits, for an operation or for a sum of the same
 * context, moves all of them on. So a rank that waits keeps nobody else waiting. A rank that blocks
 * elsewhere may: between begin and wait, do not call what returns only after another rank has come
 * out of its wait, be it MPI_Barrier(), a sum of "blocking", or one of your own backend with a wait
 * of its own.
 *
 * The spec chooses what messages travel over. "nbc": MPI's messages, or shared memory where a
 * function takes channel=. "verbs": writes of an RDMA adapter, InfiniBand or RoCE, into the memory
 * of the receiver, which need not call anything for them to arrive. There each message has two
 * places, at either end, so a sender is at most two times ahead: what it begins for a third time is
 * sent when the receiver has come out of the first. Broadcasts and reductions have channel=verbs
 * for the outermost level then, and shm for those inside, unless the spec says otherwise. All
 * specs of "verbs" also take
 * - window=: how many writes of the operation a rank has in flight, unless there is fragment=, see
 *   ovk_collective_create_bcast(). It slides: when the oldest has ended, the next goes out, as soon
 *   as this rank calls the library. Default: no limit; where there are shares 6, which Kandalla et
 *   al., "Improving parallel 3D FFT performance using hardware offloaded collective communication",
 *   found best for an all-to-all
 * - device=: the adapter's name; "emulated": shared memory of a node in its place, for tests.
 *   Default: the first that has an active port
 * - port=, gid=: which of its ports; which address, by index, at most 255. Default: the first that
 * is active; that of RoCE v2 over IPv4 if there is one
 * - timeout_ms=: how long a rank waits, once it has begun. Default: ten minutes; 0: for ever.
 *
 * If the network fails, begin, test or wait of each operation in flight over this adapter returns
 * OVK_ERR_NETWORK: on each rank at most timeout_ms after it began an operation that cannot be
 * completed; one that has received all it needs may still be completed. Nothing is sent again or in
 * another way. The failed operations can only be destroyed, and in this context none can be made
 * any more with the same device, port, gid and timeout_ms. Operations over others continue.
 *
 * The functions that make one are collective, with errors that are agreed. Their spec is "nbc" or
 * "verbs", with keys, those above and those named at each function; NULL: "nbc".
 *
 * Items are `size` bytes, whatever they are. Buffers do not overlap but where it is said that they
 * may be the same. A buffer without items may be NULL.
 *
 * In the functions whose names end in v ranks have different shares: counts[r] items for rank r,
 * from item offsets[r] of the buffer on; offsets NULL: one share behind the other. Shares that are
 * received must not overlap. These arrays are not needed any more when the function returns, and
 * are not looked at on ranks that have nothing to share out. In the others all shares have `count`
 * items, one behind the other.
 */
typedef struct ovk_collective ovk_collective;

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

/** What reductions combine. */
typedef enum ovk_type {
  OVK_TYPE_DOUBLE,
  OVK_TYPE_INT64,
  OVK_TYPE_FLOAT,
  OVK_TYPE_INT8,
  OVK_TYPE_INT16,
  OVK_TYPE_INT32,
  OVK_TYPE_UINT8,
  OVK_TYPE_UINT16,
  OVK_TYPE_UINT32,
  OVK_TYPE_UINT64
} ovk_type;

/** The operation of a reduction. Sums and products of integers wrap around. OVK_OP_MAX and
 * OVK_OP_MIN of numbers with a NaN among them are NaN. The logical operations (the result is 0 or
 * 1) and the bitwise ones are for integers only. */
typedef enum ovk_op {
  OVK_OP_SUM,
  OVK_OP_MAX,
  OVK_OP_MIN,
  OVK_OP_PROD,
  OVK_OP_LAND,
  OVK_OP_LOR,
  OVK_OP_LXOR,
  OVK_OP_BAND,
  OVK_OP_BOR,
  OVK_OP_BXOR
} ovk_op;

/**
 * A reduction to `root`. Keys as for ovk_collective_create_bcast(). Collective.
 *
 * @param send     this rank's part; may be `receive`
 * @param receive  the result; not looked at on other ranks than `root`
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, ovk_type type, ovk_op op,
                                             int root, ovk_collective **out);

/**
 * A reduction to all ranks, the same bits on all of them. Keys as for
 * ovk_collective_create_bcast(), and alg=ring; alg=auto takes the ring for long vectors. With
 * fragment= the bits are those of one piece, but for the ring, where the order of additions depends
 * on the place in the piece. Collective.
 *
 * @param send     this rank's part; may be `receive`
 * @param receive  the result
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allreduce(ovk_ctx *ctx, const char *spec, const void *send,
                                                void *receive, int count, ovk_type type, ovk_op op,
                                                ovk_collective **out);

/**
 * A reduction whose result is cut up: rank r gets counts[r] numbers of it; all ranks give the same
 * counts. alg=flat (default; combined in the order of ranks), with `window=`, see
 * ovk_collective_create_gather(); or alg=ring. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_scatter(ovk_ctx *ctx, const char *spec,
                                                     const void *send, void *receive,
                                                     const int *counts, ovk_type type, ovk_op op,
                                                     ovk_collective **out);

/**
 * The reduction of the ranks up to and including this one, by recursive doubling. `send` may be
 * `receive`. No keys. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scan(ovk_ctx *ctx, const char *spec, const void *send,
                                           void *receive, int count, ovk_type type, ovk_op op,
                                           ovk_collective **out);

/**
 * As ovk_collective_create_scan(), of the ranks before this one; the result of rank 0 is left
 * alone. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_exscan(ovk_ctx *ctx, const char *spec, const void *send,
                                             void *receive, int count, ovk_type type, ovk_op op,
                                             ovk_collective **out);

/**
 * As ovk_collective_create_reduce(), for numbers of any MPI type and operation. Collective.
 *
 * @param type  predefined, or made by the user and committed: items of its extent, one behind the
 *              other, that begin at their lower bound 0 and do not overlap; what lies in gaps of an
 *              item moves with it. It stays valid until the operation is destroyed
 * @param op    predefined, for a predefined type of its kind (MPI-3.1, section 5.9), or made by the
 *              user; commutative. It stays valid, too
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, int count, MPI_Datatype type,
                                                 MPI_Op op, int root, ovk_collective **out);

/**
 * As ovk_collective_create_allreduce(), for ovk_collective_create_reduce_mpi()'s types and
 * operations. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_allreduce_mpi(ovk_ctx *ctx, const char *spec,
                                                    const void *send, void *receive, int count,
                                                    MPI_Datatype type, MPI_Op op,
                                                    ovk_collective **out);

/**
 * As ovk_collective_create_reduce_scatter(), for ovk_collective_create_reduce_mpi()'s types and
 * operations. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_reduce_scatter_mpi(ovk_ctx *ctx, const char *spec,
                                                         const void *send, void *receive,
                                                         const int *counts, MPI_Datatype type,
                                                         MPI_Op op, ovk_collective **out);

/**
 * As ovk_collective_create_scan(), for ovk_collective_create_reduce_mpi()'s types; operations need
 * not be commutative. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_scan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                               void *receive, int count, MPI_Datatype type,
                                               MPI_Op op, ovk_collective **out);

/**
 * As ovk_collective_create_scan_mpi(), of the ranks before this one; the result of rank 0 is left
 * alone. Collective.
 *
 * @param out  to be freed with ovk_collective_destroy()
 * @return as ovk_collective_create_barrier()
 */
OVK_API ovk_err ovk_collective_create_exscan_mpi(ovk_ctx *ctx, const char *spec, const void *send,
                                                 void *receive, int count, MPI_Datatype type,
                                                 MPI_Op op, ovk_collective **out);

/**
 * Begins the operation; what can be sent at once is sent. Collective. It does not wait for other
 * ranks.
 *
 * @return OVK_ERR_STATE on a rank where it runs already or has failed; OVK_ERR_MPI or
 *         OVK_ERR_NETWORK, and then only destroy is legal
 */
OVK_API ovk_err ovk_collective_begin(ovk_collective *collective);

/**
 * Moves the operation on and tells whether it is complete. It never ends it: wait does. Not
 * collective. A failure is returned here and by wait.
 *
 * @return as ovk_collective_wait()
 */
OVK_API ovk_err ovk_collective_test(ovk_collective *collective, bool *complete);

/**
 * Waits until this rank's part of the operation is over. Collective.
 *
 * @return OVK_ERR_STATE on a rank where it is not running; OVK_ERR_MPI or OVK_ERR_NETWORK, and then
 *         only destroy is legal
 */
OVK_API ovk_err ovk_collective_wait(ovk_collective *collective);

/**
 * Begins the operation and waits for it: the blocking form. Collective.
 *
 * @return as ovk_collective_begin() and ovk_collective_wait()
 */
OVK_API ovk_err ovk_collective_run(ovk_collective *collective);

/** @return true between begin and the end of wait. Not collective. */
OVK_API bool ovk_collective_running(const ovk_collective *collective);

/**
 * A hook that moves this operation on, for ovk_mat_mult(), ovk_precond_apply() and own loops. It
 * does nothing while the operation is not running. Not collective.
 *
 * @param every  rows between two calls, >= 1
 * @return the hook; not to be used after ovk_collective_destroy()
 */
OVK_API ovk_poll ovk_collective_poll(ovk_collective *collective, ovk_lidx every);

/** Frees an operation, after waiting for it if it runs, and sets *collective to NULL. NULL is
 * allowed. Collective. Where it does not run no rank waits for another, but over verbs it waits,
 * timeout_ms at most, until those whom this rank has sent something have come out of it. After
 * OVK_ERR_MPI or OVK_ERR_NETWORK the MPI may still read or write its buffers, before MPI_Finalize:
 * keep them. */
OVK_API void ovk_collective_destroy(ovk_collective **collective);

OVK_END_DECLS

#endif
