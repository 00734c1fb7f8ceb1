/* SPDX-License-Identifier: BSD-2-Clause */
/* The context: one duplicated communicator, the last error, the event log, the user's plug-ins. */
#ifndef OVKRYLOV_CTX_H
#define OVKRYLOV_CTX_H

#include <ovkrylov/error.h>
#include <ovkrylov/mpi.h>

OVK_BEGIN_DECLS

/**
 * Owns what all objects made from it share.
 *
 * Objects may be destroyed in any order, the context included: each keeps what it was made from
 * until it is itself gone, a solver its matrix and preconditioner, a preconditioner its matrix, and
 * all of them the context. A handle that was destroyed must not be used, though.
 *
 * A call such as ovk_solver_solve() runs functions of the user: monitors, preconditioners,
 * operators. Until it returns, the objects that it works with are in use: of a solve the solver, A,
 * M, b and x; of any other call that runs a user's function, what it was given. The user's function
 * may make any call with them:
 * - What reads them works as elsewhere: products, applications, solves by other solvers.
 * - What would change one of them is OVK_ERR_STATE, on all ranks where it is collective. The
 *   functions that change objects say so.
 * - What destroys one of them, or the context, takes effect when the last call that uses it
 *   returns. An array under a vector of ovk_vec_wrap() must stay until then.
 * - Plug-ins may be registered at any time.
 *
 * They may also be destroyed after MPI_Finalize(): then their memory is freed, nothing of MPI is
 * called, no destruction is collective, and OVK_LOG's file is not written. Other collective calls
 * are OVK_ERR_STATE then, or must not be made where they do not agree on errors: ovk_mat_mult(),
 * and begin, test and wait of sums and collective operations. As MPI demands, no sum or collective
 * operation should be in flight when MPI_Finalize() is called, and none with progress=thread may
 * be.
 */
typedef struct ovk_ctx ovk_ctx;

/**
 * Makes a context over the ranks of `comm`. Collective over `comm`.
 *
 * The communicator is duplicated once; `comm` stays the caller's, and its error handler decides
 * what happens if that fails. There is no global state: two contexts in one process are
 * independent, and a rank that waits moves on what is in flight in that context only. So where
 * operations of two contexts are in flight at once, all ranks must wait for them in the same order.
 * A context, and what is made from it, may be used by one thread at a time.
 *
 * The environment of rank 0 sets, for all ranks: OVK_METHOD and OVK_BACKEND, defaults; OVK_HALO;
 * OVK_LOG, see ovk_ctx_destroy(); OVK_DEBUG, see ovk_ctx_error(); and OVK_CHECK=1, check mode,
 * which finds ranks that differ:
 * - Ranks compare which sum of a backend they begin and after which decisions, the totals bit for
 *   bit, which functions of the library they have called, what each iteration decides and how
 *   solves end.
 * - The first difference is OVK_ERR_DIFFER on all ranks; its message has the values of two ranks.
 * - A rank waits for others in sums and agreements at most OVK_CHECK_TIMEOUT seconds (60); the
 *   error says in which. Sums that were not complete then are never freed.
 * - Results are the same, but "auto" may choose another method, and a backend that cuts sums into
 *   pieces cuts elsewhere.
 * - Ranks are compared that have made the context. A context that only some ranks of `comm` make
 *   is a hang, as in MPI_Comm_dup(); over MPI_COMM_SELF it is one of its own, and objects made with
 *   it are not those of the other ranks.
 * - A sum takes two more all-gather exchanges and is complete only when all ranks have called the
 *   library again; an error of its begin may be returned by wait.
 *
 * @param comm  an intracommunicator; MPI must be initialised
 * @param out   the new context, to be freed with ovk_ctx_destroy()
 * @return OVK_ERR_ARG (OVK_CHECK_TIMEOUT is no number, too), OVK_ERR_STATE (MPI not initialised or
 * already finalised: ovk_ctx_error(NULL) says so), OVK_ERR_MEMORY, OVK_ERR_MPI
 */
OVK_API ovk_err ovk_ctx_create(MPI_Comm comm, ovk_ctx **out);

/**
 * ovk_ctx_create() without the environment: none of those variables has an effect. Collective over
 * `comm`. For libraries inside a program whose own contexts the user sets: libovk_mpi.so, say.
 *
 * @param comm  as for ovk_ctx_create()
 * @param out   the new context, to be freed with ovk_ctx_destroy()
 * @return as ovk_ctx_create(): OVK_ERR_ARG, ...
 */
OVK_API ovk_err ovk_ctx_create_no_env(MPI_Comm comm, ovk_ctx **out);

/**
 * ovk_ctx_create() for a communicator of Fortran's: ovkrylov.f90 has it under that name. Collective
 * over `comm`.
 *
 * @param comm  the integer of mpif.h and of the module mpi; of mpi_f08 the member MPI_VAL
 * @param out   the new context, to be freed with ovk_ctx_destroy()
 * @return as ovk_ctx_create(): OVK_ERR_ARG, ...
 */
OVK_API ovk_err ovk_ctx_create_f(MPI_Fint comm, ovk_ctx **out);

/**
 * Gives a context up, and sets *ctx to NULL. Collective. NULL and a pointer to NULL are allowed.
 * It is freed now, or with the last object made from it, which may be at the end of a call in
 * progress; and with it the backends that it opened
 * and its communicator. If OVK_LOG named a file when the context was made, rank 0
 * writes the event log there first; of a file that cannot be written ovk_ctx_on_notice() tells. A
 * name that ends in ".json" gets JSON, see ovk_log_write().
 *
 * Freeing the context is collective and happens on each rank when its last object is destroyed.
 * Ranks may destroy objects in different orders, but each must have destroyed all of them before it
 * waits for another rank; several contexts must be freed in the same order on all ranks.
 */
OVK_API void ovk_ctx_destroy(ovk_ctx **ctx);

/**
 * The message that belongs to the last error, with the actual numbers: "layouts do not match: A
 * has 10 rows, x 12", and " (rank 3)" at its end where only some ranks had that error. With
 * OVK_DEBUG=1 in the environment of rank 0 the place in the library's source comes first:
 * "spmv.c:41: ". After a solve that did not converge, the message that says why. "" before the
 * first. Valid until the next call with this context. As with errno, look at it after an
 * error: a call that succeeds may leave an earlier message. ovk_solver_solve() and ovk_solve() do
 * not: after a solve that converged the message is "". A call without a context, as all handles
 * that it was given are NULL, cannot leave a message: what stands here then is an earlier one's.
 * Not collective.
 *
 * @return the message, which belongs to the context
 */
OVK_API const char *ovk_ctx_error(const ovk_ctx *ctx);

/** Gets a message that is no error; `arg` is what was given to ovk_ctx_on_notice(). The message
 * does not outlive the call. */
typedef void (*ovk_notice_fn)(void *arg, const char *message);

/**
 * Registers a callback for warnings: the network has failed and reductions use a fallback, say.
 * Each is issued once for each object that it concerns. Each rank is notified separately, the last
 * time when the context is freed, see ovk_ctx_destroy(). The first registration has rank 0
 * notified at once of variables OVK_... in its environment that the library does not know, with the
 * closest name, and of an OVK_LOG that cannot be written. NULL, the default: no notification. Not
 * collective.
 */
OVK_API void ovk_ctx_on_notice(ovk_ctx *ctx, ovk_notice_fn notice, void *arg);

/**
 * A callback for ovk_ctx_on_notice() that writes a line. Not collective.
 *
 * @param file  a FILE *, such as stderr; NULL on ranks to be silent
 */
OVK_API void ovk_notice_print(void *file, const char *message);

/**
 * The context's own communicator. Do not free it or send on it. Not collective.
 *
 * @return the communicator, which belongs to the context
 */
OVK_API MPI_Comm ovk_ctx_comm(const ovk_ctx *ctx);

/** @return this process's rank in the context. If ovk_ctx_create() failed, ask the MPI for it. Not
 * collective. */
OVK_API int ovk_ctx_rank(const ovk_ctx *ctx);

/** @return the number of ranks of the context. Not collective. */
OVK_API int ovk_ctx_size(const ovk_ctx *ctx);

/**
 * Records an error for ovk_ctx_error() and returns `code`; for plug-ins: backends, preconditioners,
 * shell operators. Not collective. The library sees to it that all ranks learn of it.
 *
 * @param code    what to return; must not be OVK_OK
 * @param format  printf style
 * @return `code`, as ovk_ctx_error() is told
 */
OVK_API ovk_err ovk_ctx_fail(ovk_ctx *ctx, ovk_err code, const char *format, ...) OVK_PRINTF(3, 4);

OVK_END_DECLS

#endif
