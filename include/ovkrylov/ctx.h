/* SPDX-License-Identifier: BSD-2-Clause */
/* The context: one duplicated communicator, the last error, the event log, the user's plug-ins. */
#ifndef OVKRYLOV_CTX_H
#define OVKRYLOV_CTX_H

#include <mpi.h>
#include <ovkrylov/error.h>

OVK_BEGIN_DECLS

/** Owns what all objects made from it share. It must outlive every one of them. */
typedef struct ovk_ctx ovk_ctx;

/**
 * Makes a context over the ranks of `comm`. Collective over `comm`.
 *
 * The communicator is duplicated once; `comm` stays the caller's, and its error handler decides
 * what happens if that fails. Everything hangs on the context: two contexts in one process do not
 * disturb each other. A context, and what is made from it, may be used by one thread at a time.
 *
 * @param comm  an intracommunicator; MPI must be initialised
 * @param out   the new context, to be freed with ovk_ctx_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_STATE (MPI not initialised or already finalised), OVK_ERR_MEMORY,
 *         OVK_ERR_MPI; there is no context yet, so only the code tells
 */
OVK_API ovk_err ovk_ctx_create(MPI_Comm comm, ovk_ctx **out);

/**
 * Frees a context, the backends that it opened and its communicator, and sets *ctx to NULL.
 * Collective. NULL and a pointer to NULL are allowed. All objects made from it must be gone.
 * If OVK_LOG named a file when the context was made, rank 0 writes the event log there first; a
 * file that cannot be written is passed over.
 */
OVK_API void ovk_ctx_destroy(ovk_ctx **ctx);

/**
 * The sentence that belongs to the last error, with the place it was found and the actual numbers:
 * "spmv.c:41: layouts do not match: A has 10 rows, x 12". After a solve that did not converge,
 * the sentence that says why. "" before the first. Valid until the next call with this context.
 * Not collective.
 */
OVK_API const char *ovk_ctx_error(const ovk_ctx *ctx);

/** Gets a sentence that is no error; `arg` is what was given to ovk_ctx_on_notice(). The sentence
 * does not outlive the call. */
typedef void (*ovk_notice_fn)(void *arg, const char *sentence);

/**
 * Has `notice` called with what is no error but worth knowing, each only once: that the network has
 * failed and sums go over a fallback, say. Every rank tells its own. NULL, as at first: nobody is
 * told. Not collective.
 */
OVK_API void ovk_ctx_on_notice(ovk_ctx *ctx, ovk_notice_fn notice, void *arg);

/** The context's own communicator. Do not free it or send on it. Not collective. */
OVK_API MPI_Comm ovk_ctx_comm(const ovk_ctx *ctx);

/** This process's rank in the context. Not collective. */
OVK_API int ovk_ctx_rank(const ovk_ctx *ctx);

/** The number of ranks of the context. Not collective. */
OVK_API int ovk_ctx_size(const ovk_ctx *ctx);

/**
 * Records an error for ovk_ctx_error() and returns `code`; for plug-ins: backends, preconditioners,
 * shell operators. Not collective: the library sees to it that all ranks learn of it.
 *
 * @param code    what to return; must not be OVK_OK
 * @param format  printf style
 */
OVK_API ovk_err ovk_ctx_fail(ovk_ctx *ctx, ovk_err code, const char *format, ...) OVK_PRINTF(3, 4);

OVK_END_DECLS

#endif
