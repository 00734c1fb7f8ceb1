/* SPDX-License-Identifier: BSD-2-Clause */
/* Non-blocking collective operations on the library's own engine, as LibNBC has them (Hoefler,
 * Lumsdaine, Rehm, SC'07), each to be carried out again and again: what holds for all of them, and
 * how they are carried out. They are made in collectives_move.h, collectives_reduce.h and
 * schedule.h. */
#ifndef OVKRYLOV_COMM_COLLECTIVE_H
#define OVKRYLOV_COMM_COLLECTIVE_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/plugin/poll.h>
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
 * - timeout_ms=: how long a rank waits, once it has begun. Default: ten minutes; 0: for ever
 * - agent=: "thread": a thread of the library's beside each rank carries the operation out, all its
 *   rounds and its window, while ranks do not call anything; begin hands it over, test and wait
 *   look whether it is complete. It makes no call of MPI, so all messages are those of
 *   channel=verbs, and the operations of MPI of the functions in _mpi are refused. Default: "none".
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
 * A hook that moves this operation on, for ovk_mat_mult_polled(), ovk_precond_apply() and own
 * loops. It does nothing while the operation is not running. Not collective.
 *
 * @param every  rows between two calls, >= 1; 0: 1024
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
