/* SPDX-License-Identifier: BSD-2-Clause */
/* The context: one duplicated communicator, the last error, the event log, registered plug-ins. */
#ifndef OVKRYLOV_CTX_H
#define OVKRYLOV_CTX_H

#include <ovkrylov/error.h>
#include <ovkrylov/mpi.h>

OVK_BEGIN_DECLS

/**
 * The resources that all objects of a group of ranks share.
 *
 * Objects may be destroyed in any order, the context included. Each keeps the objects that it was
 * created from until it is itself freed: a solver its matrix and preconditioner, a preconditioner
 * its matrix, and all of them the context. A handle must not be used after its destruction.
 *
 * A call such as ovk_solver_solve() runs functions of the user: monitors, preconditioners,
 * operators. Until it returns, the objects that it works with are in use. For a solve these are the
 * solver, A, M, b and x; for any other call that runs a function of the user, its arguments. The
 * function of the user may make any call with these objects:
 * - Calls that only read them work as usual: products, applications, solves by other solvers.
 * - Calls that would change one of them return OVK_ERR_STATE, on all ranks if they are collective.
 *   The documentation of each such function says so.
 * - Calls that destroy one of them, or the context, take effect when the last call that uses it
 *   returns. An array under a vector of ovk_vec_wrap() must stay until then.
 * - Plug-ins may be registered at any time.
 *
 * Objects may also be destroyed after MPI_Finalize(). Their memory is then freed, no MPI function
 * is called, no destruction is collective, and the file of OVK_LOG is not written. Other collective
 * calls return OVK_ERR_STATE then. Functions that do not agree on errors must not be called:
 * ovk_mat_mult(), and begin, test and wait of reductions and collective operations. As MPI demands,
 * no reduction or collective operation should be in flight when MPI_Finalize() is called. None with
 * progress=thread may be.
 */
typedef struct ovk_ctx ovk_ctx;

/**
 * Create a context over the ranks of `comm`. Collective over `comm`.
 *
 * The communicator is duplicated once. `comm` stays with the caller, and its error handler handles
 * a failure of the duplication. There is no global state: two contexts in one process are
 * independent, and a waiting rank progresses only the operations of the context that it waits in.
 * If operations of two contexts are in flight at once, all ranks must wait for them in the same
 * order. A context and the objects created from it may be used by one thread at a time.
 *
 * The environment of rank 0 sets, for all ranks: the defaults OVK_METHOD, OVK_BACKEND and
 * OVK_EXACT; OVK_TUNING, the table of the backend "auto"; OVK_HALO;
 * OVK_LOG, see ovk_ctx_destroy(); OVK_DEBUG, see ovk_ctx_error(); and OVK_CHECK=1. The latter is
 * check mode, which finds ranks that differ:
 * - Ranks compare the reductions that they begin and the decisions before them, the totals bit for
 *   bit, the functions of the library that they call, the decisions of each iteration and the ends
 *   of solves.
 * - The first difference is OVK_ERR_DIFFER on all ranks; its message has the values of two ranks.
 * - A rank waits for others in reductions and agreements at most OVK_CHECK_TIMEOUT seconds (60);
 *   if that is no number above 0, the first of them is OVK_ERR_ARG. The error names the place.
 *   Reductions that were not complete then are never freed.
 * - Results are the same, but "auto" may choose another method, and a backend that segments
 *   reductions cuts them at other places.
 * - Only ranks that have created the context are compared. If only some ranks of `comm` create it,
 *   they hang, as in MPI_Comm_dup(). A context over MPI_COMM_SELF is separate, and objects created
 *   from it differ from those of the other ranks.
 * - A reduction takes two more all-gather exchanges and is complete only when all ranks have called
 *   the library again. An error of its begin may be returned by wait.
 *
 * @param comm  an intracommunicator; MPI must be initialized
 * @param out   the new context, to be freed with ovk_ctx_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_STATE if MPI is not initialized or already finalized, with the
 *         message in ovk_ctx_error(NULL); OVK_ERR_MEMORY; OVK_ERR_MPI
 */
OVK_API ovk_err ovk_ctx_create(MPI_Comm comm, ovk_ctx **out);

/**
 * Create a context that ignores the variables of the environment. Collective over `comm`. It is
 * intended for libraries inside a program, such as libovk_mpi.so: the user sets the environment for
 * the contexts of the program.
 *
 * @param comm  as for ovk_ctx_create()
 * @param out   the new context, to be freed with ovk_ctx_destroy()
 * @return as ovk_ctx_create(): OVK_ERR_ARG, ...
 */
OVK_API ovk_err ovk_ctx_create_no_env(MPI_Comm comm, ovk_ctx **out);

/**
 * Create a context over a Fortran communicator. Collective over `comm`. The module in ovkrylov.f90
 * names it ovk_ctx_create().
 *
 * @param comm  the integer of mpif.h and of the module mpi; with mpi_f08 the member MPI_VAL
 * @param out   the new context, to be freed with ovk_ctx_destroy()
 * @return as ovk_ctx_create(): OVK_ERR_ARG, ...
 */
OVK_API ovk_err ovk_ctx_create_f(MPI_Fint comm, ovk_ctx **out);

/**
 * Destroy a context and set *ctx to NULL. Collective. NULL and a pointer to NULL are allowed.
 *
 * The context, its communicator and the backends that it opened are freed now, or with the last
 * object created from it. That may be at the end of a call in progress. If OVK_LOG named a file
 * when the context was created, rank 0 first writes the event log there. A name that ends in
 * ".json" gives JSON, see ovk_log_write(). A write failure is reported through ovk_ctx_on_notice().
 *
 * The context is freed collectively, on each rank when its last object is destroyed. Ranks may
 * destroy objects in different orders, but each must have destroyed all of them before it waits for
 * another rank. Several contexts must be freed in the same order on all ranks.
 */
OVK_API void ovk_ctx_destroy(ovk_ctx **ctx);

/**
 * Get the message of the last error, with the actual numbers: "layouts do not match: A has 10 rows,
 * x 12". Not collective.
 *
 * The message ends with a rank, such as " (rank 3)", if only some ranks had that error. With
 * OVK_DEBUG=1 in the environment of rank 0 it begins with the place in the source of the library,
 * such as "spmv.c:41: ". After a solve that did not converge it is the reason; after a solve that
 * converged it is "". Read the message only after an error, as with errno: other successful calls
 * may leave an earlier message. A call whose handles are all NULL has no context, and cannot leave
 * a message.
 *
 * @param ctx  NULL: the message is why ovk_ctx_create() fails, such as "MPI is finalized"; or ""
 * @return the message, "" before the first; it belongs to the context and is valid until the next
 *         call with this context
 */
OVK_API const char *ovk_ctx_error(const ovk_ctx *ctx);

/** A callback for a warning; `arg` is the argument of ovk_ctx_on_notice(). The message is valid
 * only during the call. */
typedef void (*ovk_notice_fn)(void *arg, const char *message);

/**
 * Register a callback for warnings, such as a network failure after which reductions use a
 * fallback. Not collective.
 *
 * Each warning is issued once for each object that it concerns, on each rank separately, the last
 * time when the context is freed, see ovk_ctx_destroy(). The first registration on rank 0 reports
 * unknown variables OVK_... of its environment, with the closest name, and an OVK_LOG that cannot
 * be written.
 *
 * @param notice  NULL, the default: no callback
 * @param arg     passed to `notice`
 */
OVK_API void ovk_ctx_on_notice(ovk_ctx *ctx, ovk_notice_fn notice, void *arg);

/**
 * Write a warning as one line: a callback for ovk_ctx_on_notice(). Not collective.
 *
 * @param file  a FILE *, such as stderr; NULL on ranks that write nothing
 */
OVK_API void ovk_notice_print(void *file, const char *message);

/**
 * Get the communicator of the context, a duplicate. Do not free it or send on it. Not collective.
 *
 * @return the communicator, which belongs to the context
 */
OVK_API MPI_Comm ovk_ctx_comm(const ovk_ctx *ctx);

/** @return the rank of this process in the context; 0 without a context. Not collective. */
OVK_API int ovk_ctx_rank(const ovk_ctx *ctx);

/** @return the number of ranks of the context. Not collective. */
OVK_API int ovk_ctx_size(const ovk_ctx *ctx);

/**
 * Set the message of ovk_ctx_error() and return `code`, in a function of a user: a backend, a
 * preconditioner, a shell operator. Not collective. The library propagates the error to all ranks.
 *
 * @param code    the result; must not be OVK_OK
 * @param format  the message and its values, as for printf()
 * @return `code`, such as OVK_ERR_USER
 */
OVK_API ovk_err ovk_ctx_fail(ovk_ctx *ctx, ovk_err code, const char *format, ...) OVK_PRINTF(3, 4);

OVK_END_DECLS

#endif
