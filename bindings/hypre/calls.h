/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of hypre. Its errors are flags of the process that remain set. Flags of earlier calls are
 * saved before a call and restored after it. */
#ifndef OVK_HYPRE_CALLS_H
#define OVK_HYPRE_CALLS_H

#include <HYPRE_utilities.h>
#include <ovkrylov/ctx.h>
#include <stdbool.h>

/* Clears the flags. Returns the flags that were set, for ovk__hypre_leave(). */
HYPRE_Int ovk__hypre_enter(void);

/* Restores the flags `before`. Returns the error that was flagged since, with the name of the call
 * and the message of hypre. An iteration that did not converge is no error: preconditioners make a
 * fixed number. */
ovk_err ovk__hypre_leave(ovk_ctx *ctx, HYPRE_Int before, const char *call);

/* Returns from the caller if the call fails. */
#define OVK_TRY_HYPRE(ctx, call)                                                                   \
  do {                                                                                             \
    const HYPRE_Int try_before_ = ovk__hypre_enter();                                              \
    (void)(call);                                                                                  \
    const ovk_err try_err_ = ovk__hypre_leave((ctx), try_before_, #call);                          \
    if (try_err_) return try_err_;                                                                 \
  } while (0)

/* The same for a call that returns an ovk_err. */
#define OVK_TRY(call)                                                                              \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_) return try_err_;                                                                 \
  } while (0)

/* *own <- a duplicate of comm, with errors returned. Collective. */
ovk_err ovk__hypre_dup(ovk_ctx *ctx, MPI_Comm comm, MPI_Comm *own);

/* Whether no rank of comm has failed. Called between local work and communication. Collective. */
bool ovk__hypre_all_well(MPI_Comm comm, ovk_err mine);

/* The same as an error: `mine`, or `others` with `text` if only other ranks have failed.
 * Collective. */
ovk_err ovk__hypre_agree(ovk_ctx *ctx, MPI_Comm comm, ovk_err mine, ovk_err others,
                         const char *text);

/* The same, and an error if the ranks have different numbers of `what`. */
ovk_err ovk__hypre_agree_number(ovk_ctx *ctx, MPI_Comm comm, ovk_err mine, ovk_err others,
                                const char *text, HYPRE_Int number, const char *what);

/* Whether MPI can still be called. */
bool ovk__hypre_mpi_runs(void);

#endif
