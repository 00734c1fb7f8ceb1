/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking global reductions. */
#ifndef OVKRYLOV_COMM_REDUCTION_H
#define OVKRYLOV_COMM_REDUCTION_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/plugin/poll.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/**
 * A persistent reduction: the sum of `count` doubles over all ranks. Write the parts of this rank,
 * begin, compute, wait, read the totals; repeat. The contract:
 *
 * 1. After wait, all ranks have bit-identical totals.
 * 2. Between begin and the end of wait the values belong to the backend. Do not access them.
 * 3. All ranks begin the same reductions of a backend in the same order. Several may be in flight,
 *    and ranks may wait for them in any order.
 * 4. A rank may begin again directly after its wait.
 * 5. wait returns a failure during a reduction. Then only destroy is allowed.
 * 6. Destroying a running reduction waits for it first.
 * 7. Opening a backend succeeds on all ranks or fails on all ranks. There is no silent fallback.
 * 8. Each open backend has a separate communicator.
 * 9. Misuse, such as wait without begin or begin twice, is OVK_ERR_STATE, never a hang.
 */
typedef struct ovk_reduction ovk_reduction;

/**
 * Create a reduction over a backend. Collective. The context opens one backend for each spec and
 * closes it at its own end.
 *
 * "auto" selects "shm" if all ranks share a node. Otherwise the ranks of a node reduce over shared
 * memory, and one rank of each node sends messages. ovk_reduction_spec() returns the selection.
 *
 * @param spec   "auto", "blocking", "shm", "nbc:alg=tree", ..., a registered name; NULL:
 * OVK_BACKEND of the environment, or else "auto". See `ovk list backends`
 * @param count  doubles to add up, >= 1; the same on all ranks
 * @param out    to be freed with ovk_reduction_destroy()
 * @return OVK_ERR_UNKNOWN with the closest match, OVK_ERR_UNSUPPORTED, OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_reduction_create(ovk_ctx *ctx, const char *spec, int count,
                                     ovk_reduction **out);

/**
 * Destroy a reduction and set *red to NULL. Collective. It waits for a running reduction; otherwise
 * no rank waits for another. NULL is allowed.
 */
OVK_API void ovk_reduction_destroy(ovk_reduction **red);

/** @return `count` doubles: the parts of this rank before begin, the totals after wait. Not
 * collective. */
OVK_API double *ovk_reduction_values(ovk_reduction *red);

/**
 * Begin the reduction. Collective. It does not wait for other ranks, except for "blocking".
 *
 * @return OVK_ERR_STATE on a rank where the reduction is running or has failed; errors of the
 * backend
 */
OVK_API ovk_err ovk_reduction_begin(ovk_reduction *red);

/**
 * Progress the reduction and test for completion. Not collective. Only wait completes it.
 *
 * @return as ovk_reduction_wait()
 */
OVK_API ovk_err ovk_reduction_test(ovk_reduction *red, bool *complete);

/**
 * Wait for the totals. Collective.
 *
 * @return OVK_ERR_STATE on a rank where the reduction is not running; errors of the backend
 */
OVK_API ovk_err ovk_reduction_wait(ovk_reduction *red);

/** @return true between begin and the end of wait. Not collective. */
OVK_API bool ovk_reduction_running(const ovk_reduction *red);

/** @return the spec of the backend; for "auto", the selected one. alg=auto remains in it, as it
 * selects an algorithm for each length. ovk_list_schedule() and `ovk list schedule` show the
 * algorithm of a length. Not collective. */
OVK_API const char *ovk_reduction_spec(const ovk_reduction *red);

/**
 * Create a progress hook for this reduction, for ovk_mat_mult_polled(), ovk_precond_apply() and
 * user-defined loops. Not collective. The hook does nothing while the reduction is not running.
 *
 * @param every  rows between two calls, >= 1; 0: the library chooses 512 to 4096, on each rank from
 *               the number of calls that earlier reductions needed
 * @return the hook; not to be used after ovk_reduction_destroy()
 */
OVK_API ovk_poll ovk_reduction_poll(ovk_reduction *red, ovk_lidx every);

OVK_END_DECLS

#endif
