/* SPDX-License-Identifier: BSD-2-Clause */
/* Global sums that are begun, and waited for later. */
#ifndef OVKRYLOV_COMM_REDUCTION_H
#define OVKRYLOV_COMM_REDUCTION_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/plugin/poll.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/**
 * A persistent global sum of `count` doubles: write this rank's parts, begin, work, wait, read the
 * totals; again and again. The contract:
 *
 * 1. After wait all ranks hold bit-identical totals.
 * 2. Between begin and the end of wait the values belong to the backend: do not touch them.
 * 3. All ranks begin the same reductions of a backend in the same order; several may be in flight,
 *    and be waited for in any order.
 * 4. A rank may begin again right after its own wait.
 * 5. A failure while a reduction runs is kept and returned by wait; then only destroy is legal.
 * 6. Destroying a running reduction waits for it first.
 * 7. Opening a backend succeeds on all ranks or fails on all. There is no silent fallback.
 * 8. Each open backend has a communicator of its own.
 * 9. Misuse (wait without begin, begin twice) is OVK_ERR_STATE, never a hang.
 */
typedef struct ovk_reduction ovk_reduction;

/**
 * Makes a reduction over the backend that `spec` names. Collective. A backend is opened once a
 * context and spec, and closed with the context.
 *
 * "auto" stands for "shm" if all ranks share a node; else ranks of a node sum over shared memory
 * and one of each by messages. ovk_reduction_spec() tells which it became.
 *
 * @param spec   "auto", "blocking", "shm", "nbc:alg=tree", ..., a registered name; NULL: the
 *               environment's OVK_BACKEND or else "auto". See `ovk list backends`
 * @param count  doubles to sum, >= 1; all ranks must give the same
 * @param out    to be freed with ovk_reduction_destroy()
 * @return OVK_ERR_UNKNOWN with the closest match, OVK_ERR_UNSUPPORTED, OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_reduction_create(ovk_ctx *ctx, const char *spec, int count,
                                     ovk_reduction **out);

/**
 * Frees a reduction, after waiting for it if it runs, and sets *red to NULL. NULL is allowed.
 * Collective. Where it does not run no rank waits for another.
 */
OVK_API void ovk_reduction_destroy(ovk_reduction **red);

/** @return `count` doubles: this rank's parts before begin, the totals after wait. Not collective.
 */
OVK_API double *ovk_reduction_values(ovk_reduction *red);

/**
 * Begins the sum. Collective. It does not wait for other ranks (unless "blocking").
 *
 * @return OVK_ERR_STATE on a rank where it runs already or has failed; what the backend reports
 */
OVK_API ovk_err ovk_reduction_begin(ovk_reduction *red);

/**
 * Lets the sum make progress and tells whether it is complete. It never ends it: wait does. Not
 * collective.
 *
 * @return as ovk_reduction_wait()
 */
OVK_API ovk_err ovk_reduction_test(ovk_reduction *red, bool *complete);

/**
 * Waits until the totals are there. Collective.
 *
 * @return OVK_ERR_STATE on a rank where it is not running; what the backend reports
 */
OVK_API ovk_err ovk_reduction_wait(ovk_reduction *red);

/** @return true between begin and the end of wait. Not collective. */
OVK_API bool ovk_reduction_running(const ovk_reduction *red);

/** @return the spec that the backend was opened with: for "auto", what it chose. An alg=auto in it
 * stays as it is, as it chooses for each length anew; ovk_list_schedule() and `ovk list schedule`
 * show the algorithm of a length. Not collective. */
OVK_API const char *ovk_reduction_spec(const ovk_reduction *red);

/**
 * A hook that moves this reduction on, for ovk_mat_mult_polled(), ovk_precond_apply() and own
 * loops. It does nothing while the reduction is not running. Not collective.
 *
 * @param every  rows between two calls, >= 1; 0: the library chooses them, 512 to 4096, on each
 *               rank from how many calls the last sums took. The next hook has the next choice
 * @return the hook; not to be used after ovk_reduction_destroy()
 */
OVK_API ovk_poll ovk_reduction_poll(ovk_reduction *red, ovk_lidx every);

OVK_END_DECLS

#endif
