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
 * begin each of them the same number of times; several may be under way at once, and ranks may wait
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
 * - window=: how many writes of the operation a rank has under way. It slides: when the oldest has
 *   ended, the next goes out, as soon as this rank calls the library. Default: no limit; where
 *   there are shares 6, which Kandalla et al., "Improving parallel 3D FFT performance using
 *   hardware offloaded collective communication", found best for an all-to-all
 * - device=: the adapter's name; "emulated": shared memory of a node in its place, for tests.
 *   Default: the first that has an active port
 * - port=, gid=: which of its ports; which address, by index. Default: the first that is active;
 *   that of RoCE v2 over IPv4 if there is one
 * - timeout_ms=: how long a rank waits, once it has begun. Default: ten minutes; 0: for ever.
 *
 * If the network fails, that is OVK_ERR_NETWORK, from begin, test or wait of whatever is under way
 * over this adapter. It shows on each rank, at the latest timeout_ms after that has begun what it
 * can not complete; what has all it needs may still be completed. Nothing is sent again or another
 * way. These operations can only be destroyed then, and none can be made any more with the same
 * device, port, gid and timeout_ms in this context. Others go on.
 *
 * Common to the functions that make one, all of them collective, with errors that are agreed:
 *
 * @param spec  "nbc" or "verbs", with keys; NULL: "nbc". Which keys: above and at each function
 * @param out   to be freed with ovk_collective_destroy()
 * @return OVK_ERR_ARG (also where ranks differ in what must be the same, or send what others do not
 *         expect), OVK_ERR_UNKNOWN, OVK_ERR_UNSUPPORTED, OVK_ERR_MEMORY; over verbs also
 *         OVK_ERR_NETWORK, and OVK_ERR_RANGE if a message is longer than the adapter takes
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

/** A barrier by n-way dissemination, n from `ways=` (1 to 7; default 1): more messages in fewer
 * rounds. */
OVK_API ovk_err ovk_ibarrier_create(ovk_ctx *ctx, const char *spec, ovk_collective **out);

/** A broadcast of `count` items from `root`, over alg=flat|doubling|kary|tree, levels= and channel=
 * as in the backend "nbc". */
OVK_API ovk_err ovk_ibcast_create(ovk_ctx *ctx, const char *spec, void *data, int count,
                                  size_t size, int root, ovk_collective **out);

/**
 * Every rank's `count` items to `root`, in the order of ranks.
 *
 * Here, and wherever it is named below, `window=` limits how many messages in each direction a rank
 * has under way over "nbc"; all of them must be over before it starts the next so many. Default: no
 * limit, so that all start in begin. Even so most MPIs move long messages only while both ranks
 * call MPI. (Over "verbs": see above.)
 *
 * @param send     this rank's items; on `root` it may be their place in `receive`
 * @param receive  not looked at on other ranks than `root`
 */
OVK_API ovk_err ovk_igather_create(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                   int count, size_t size, int root, ovk_collective **out);

/** @param count  items of this rank; `root` must give the same in `counts` */
OVK_API ovk_err ovk_igatherv_create(ovk_ctx *ctx, const char *spec, const void *send, int count,
                                    void *receive, const int *counts, const int64_t *offsets,
                                    size_t size, int root, ovk_collective **out);

/**
 * To every rank its `count` items from `root`. `window=`, see ovk_igather_create().
 *
 * @param send     all ranks' items; not looked at on other ranks than `root`
 * @param receive  this rank's items; on `root` it may be their place in `send`
 */
OVK_API ovk_err ovk_iscatter_create(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                    int count, size_t size, int root, ovk_collective **out);

/** @param count  items of this rank; `root` must give the same in `counts` */
OVK_API ovk_err ovk_iscatterv_create(ovk_ctx *ctx, const char *spec, const void *send,
                                     const int *counts, const int64_t *offsets, void *receive,
                                     int count, size_t size, int root, ovk_collective **out);

/**
 * Every rank's items to all ranks, in the order of ranks. alg=flat (default), with `window=`, see
 * ovk_igather_create(); or alg=ring, from neighbour to neighbour, for long vectors.
 *
 * @param send  this rank's items; it may be their place in `receive`
 */
OVK_API ovk_err ovk_iallgather_create(ovk_ctx *ctx, const char *spec, const void *send,
                                      void *receive, int count, size_t size, ovk_collective **out);

/** @param counts  the same on all ranks; this rank sends counts[own rank] items. `offsets` may
 * differ */
OVK_API ovk_err ovk_iallgatherv_create(ovk_ctx *ctx, const char *spec, const void *send,
                                       void *receive, const int *counts, const int64_t *offsets,
                                       size_t size, ovk_collective **out);

/** From every rank to every rank its share. Step s goes to the rank s behind this one; `window=`,
 * see ovk_igather_create(). Two of them may alternate, so that the data of one travel while one
 * works on those of the other, as Kandalla et al. do in their FFT. */
OVK_API ovk_err ovk_ialltoall_create(ovk_ctx *ctx, const char *spec, const void *send,
                                     void *receive, int count, size_t size, ovk_collective **out);

/** @param send_counts  what this rank sends to each; the other must expect as much in its
 * `receive_counts`. Nothing is sent where there are no items */
OVK_API ovk_err ovk_ialltoallv_create(ovk_ctx *ctx, const char *spec, const void *send,
                                      const int *send_counts, const int64_t *send_offsets,
                                      void *receive, const int *receive_counts,
                                      const int64_t *receive_offsets, size_t size,
                                      ovk_collective **out);

/** What reductions add up or compare: double or int64_t. */
typedef enum ovk_type { OVK_DOUBLE, OVK_INT64 } ovk_type;

/** The operation of a reduction. Sums of OVK_INT64 wrap around. OVK_MAX and OVK_MIN of numbers with
 * a NaN among them are NaN. */
typedef enum ovk_op { OVK_SUM, OVK_MAX, OVK_MIN } ovk_op;

/**
 * A reduction to `root`, or to all. Keys as for a broadcast, and alg=ring to all. To all: the same
 * bits on all ranks.
 *
 * @param send     this rank's part; may be `receive`
 * @param receive  the result; not looked at on other ranks than `root`
 */
OVK_API ovk_err ovk_ireduce_create(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                   int count, ovk_type type, ovk_op op, int root,
                                   ovk_collective **out);
OVK_API ovk_err ovk_iallreduce_create(ovk_ctx *ctx, const char *spec, const void *send,
                                      void *receive, int count, ovk_type type, ovk_op op,
                                      ovk_collective **out);

/** A reduction whose result is cut up: rank r gets counts[r] numbers of it; all ranks give the same
 * counts. alg=flat (default; combined in the order of ranks), with `window=`, see
 * ovk_igather_create(); or alg=ring. */
OVK_API ovk_err ovk_ireduce_scatter_create(ovk_ctx *ctx, const char *spec, const void *send,
                                           void *receive, const int *counts, ovk_type type,
                                           ovk_op op, ovk_collective **out);

/** The reduction of the ranks up to and including this one, or up to the one before (whose result
 * on rank 0 is left alone), by recursive doubling. `send` may be `receive`. No keys. */
OVK_API ovk_err ovk_iscan_create(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                 int count, ovk_type type, ovk_op op, ovk_collective **out);
OVK_API ovk_err ovk_iexscan_create(ovk_ctx *ctx, const char *spec, const void *send, void *receive,
                                   int count, ovk_type type, ovk_op op, ovk_collective **out);

/**
 * Begins the operation; what can be sent at once is sent. It does not wait for other ranks.
 *
 * @return OVK_ERR_STATE on a rank where it runs already or has failed; OVK_ERR_MPI or
 *         OVK_ERR_NETWORK, and then only destroy is legal
 */
OVK_API ovk_err ovk_collective_begin(ovk_collective *collective);

/** Moves the operation on and tells whether it is complete. It never ends it: wait does. Not
 * collective. A failure is returned here and by wait. */
OVK_API ovk_err ovk_collective_test(ovk_collective *collective, bool *complete);

/** Waits until this rank's part of the operation is over. @return OVK_ERR_STATE on a rank where it
 * is not running; OVK_ERR_MPI or OVK_ERR_NETWORK, and then only destroy is legal */
OVK_API ovk_err ovk_collective_wait(ovk_collective *collective);

/** True between begin and the end of wait. Not collective. */
OVK_API bool ovk_collective_running(const ovk_collective *collective);

/**
 * A hook that moves this operation on, for ovk_mat_mult(), ovk_precond_apply() and own loops. It
 * does nothing while the operation is not running. Not collective.
 *
 * @param every  rows between two calls, >= 1
 */
OVK_API ovk_poll ovk_collective_poll(ovk_collective *collective, ovk_lidx every);

/** Frees an operation, after waiting for it if it runs, and sets *collective to NULL. NULL is
 * allowed. Collective if it runs. Else not, but over verbs it waits, timeout_ms at most, until
 * those whom this rank has sent something have come out of it. */
OVK_API void ovk_collective_destroy(ovk_collective **collective);

OVK_END_DECLS

#endif
