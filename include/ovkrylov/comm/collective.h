/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking, persistent collective operations of the engine of the library, as in LibNBC
 * (Hoefler, Lumsdaine, Rehm, SC'07): their common rules and their execution. collectives_move.h,
 * collectives_reduce.h and schedule.h create them. */
#ifndef OVKRYLOV_COMM_COLLECTIVE_H
#define OVKRYLOV_COMM_COLLECTIVE_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/plugin/poll.h>
#include <stdbool.h>
#include <stddef.h>

OVK_BEGIN_DECLS

/**
 * A persistent collective operation: create it once, then begin, compute, wait; repeat. It
 * allocates no memory after its creation.
 *
 * All ranks create the same operations in the same order, and begin each of them the same number of
 * times. Several may be in flight at once, and ranks may wait for them in different orders. Between
 * begin and the end of wait the buffers belong to the operation: do not write its input, and do not
 * access its output.
 *
 * Progress: over MPI nothing progresses by itself; over verbs, messages that a rank has sent do.
 * Test and the hook progress their operation. A rank that waits, for an operation or for a
 * reduction, progresses all operations of the context. A waiting rank therefore never blocks other
 * ranks. A rank that blocks elsewhere may: between begin and wait, do not call a function that
 * returns only after another rank has left its wait. Examples are MPI_Barrier(), a reduction of
 * "blocking", and a user-defined backend with a wait function.
 *
 * The spec selects the transport of messages. "nbc" uses MPI messages, or shared memory if a
 * function accepts channel=. "verbs" writes into the memory of the receiver by a NIC with RDMA,
 * InfiniBand or RoCE. The receiver need not call the library for a message to arrive. Each message
 * has two places at either end, so a sender is at most two operations ahead: its third message
 * leaves when the receiver has completed the first. Broadcasts and reductions use channel=verbs for
 * the outermost level and shm for the others, unless the spec has channel=. All specs of "verbs"
 * also accept:
 * - window=: number of writes of the operation that a rank has in flight, unless fragment= is
 *   present, see ovk_collective_create_bcast(). When the oldest write ends, the next one starts as
 *   soon as this rank calls the library. Default: no limit; 6 for operations with shares, the best
 *   value of Kandalla et al., "Improving parallel 3D FFT performance using hardware offloaded
 *   collective communication"
 * - device=: name of the NIC; "emulated": shared memory of a node in its place, for tests.
 *   Default: the first NIC with an active port
 * - port=, gid=: port of the NIC, and index of its address, at most 255. Default: the first
 *   active port, and its address of RoCE v2 over IPv4 if there is one
 * - timeout_ms=: longest wait of a rank after its begin. Default: ten minutes; 0: no limit
 * - agent=: with "thread", a thread of the library on each rank executes the operation, all rounds
 *   and its window, without calls of the rank. begin submits the operation; test and wait poll for
 *   completion. The thread does not call MPI: all messages use channel=verbs, and the functions
 *   ending in _mpi refuse MPI operations. All-to-alls and exchanges with neighbors
 *   move shares of 64 KB and more from buffer to buffer, without copies in memory of the library; a
 *   rank has then completed when its peers have received. Default: "none"
 *
 * If the network fails, begin, test or wait of each operation in flight over this NIC returns
 * OVK_ERR_NETWORK. A rank returns it at most timeout_ms after it began an operation that cannot be
 * completed. An operation that has received all its messages may still be completed. Nothing is
 * sent again. Failed operations can only be destroyed, and this context cannot create others with
 * the same device, port, gid and timeout_ms. Operations over other NICs continue.
 *
 * The functions that create an operation are collective, and their errors are agreed. Their spec is
 * "nbc" or "verbs" with the keys above and those of each function; NULL: "nbc".
 *
 * Items are `size` bytes of any content. Buffers do not overlap, unless a function allows the same
 * buffer. A buffer without items may be NULL.
 *
 * In functions with names ending in v, ranks have different shares: counts[r] items for rank r,
 * from item offsets[r] of the buffer on. With offsets NULL the shares are consecutive. Received
 * shares must not overlap. These arrays are not needed after the function returns, and are ignored
 * on ranks that distribute nothing. In other functions all shares have `count` items and are
 * consecutive.
 */
typedef struct ovk_collective ovk_collective;

/**
 * Begin the operation, and send the messages that need no other. Collective. It does not wait for
 * other ranks.
 *
 * @return OVK_ERR_STATE on a rank where the operation is running or has failed; OVK_ERR_MPI or
 *         OVK_ERR_NETWORK, after which only destroy is allowed
 */
OVK_API ovk_err ovk_collective_begin(ovk_collective *collective);

/**
 * Progress the operation and test for completion. Not collective. Only wait completes it. Both
 * functions return a failure.
 *
 * @return as ovk_collective_wait()
 */
OVK_API ovk_err ovk_collective_test(ovk_collective *collective, bool *complete);

/**
 * Wait until the part of this rank is complete. Collective.
 *
 * @return OVK_ERR_STATE on a rank where the operation is not running; OVK_ERR_MPI or
 * OVK_ERR_NETWORK, after which only destroy is allowed
 */
OVK_API ovk_err ovk_collective_wait(ovk_collective *collective);

/**
 * Begin the operation and wait for it: the blocking form. Collective.
 *
 * @return as ovk_collective_begin() and ovk_collective_wait()
 */
OVK_API ovk_err ovk_collective_run(ovk_collective *collective);

/** @return true between begin and the end of wait. Not collective. */
OVK_API bool ovk_collective_running(const ovk_collective *collective);

/**
 * Create a progress hook for this operation, for ovk_mat_mult_polled(), ovk_precond_apply() and
 * user-defined loops. Not collective. The hook does nothing while the operation is not running.
 *
 * @param every  rows between two calls, >= 1; 0: 1024
 * @return the hook; not to be used after ovk_collective_destroy()
 */
OVK_API ovk_poll ovk_collective_poll(ovk_collective *collective, ovk_lidx every);

/**
 * Destroy an operation and set *collective to NULL. NULL is allowed. Collective. It waits for a
 * running operation; otherwise no rank waits for another. Over verbs it waits at most timeout_ms
 * until the receivers of this rank have completed the operation. After OVK_ERR_MPI or
 * OVK_ERR_NETWORK, MPI may access the buffers until MPI_Finalize(): keep them.
 */
OVK_API void ovk_collective_destroy(ovk_collective **collective);

OVK_END_DECLS

#endif
