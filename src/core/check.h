/* SPDX-License-Identifier: BSD-2-Clause */
/* How every function checks its arguments, its calls and MPI: record, then return. */
#ifndef OVK_CORE_CHECK_H
#define OVK_CORE_CHECK_H

#include <ovkrylov/ctx.h>

/* Records "file:line: sentence" in ctx and returns code. ctx may be NULL. */
ovk_err ovk__fail(ovk_ctx *ctx, ovk_err code, const char *file, int line, const char *format, ...)
    OVK_PRINTF(5, 6);

/* The same for an MPI return code, with MPI's own text. */
ovk_err ovk__fail_mpi(ovk_ctx *ctx, int mpi_code, const char *file, int line, const char *call);

/* Records a sentence that is no error: why a solve ended. */
void ovk__say(ovk_ctx *ctx, const char *format, ...) OVK_PRINTF(2, 3);

/* Tells the user's function for notices something that is no error but that he should know. */
void ovk__notify(ovk_ctx *ctx, const char *format, ...) OVK_PRINTF(2, 3);

/* Forgets the last sentence, so that after a user's function it can be told whether that left one.
 */
void ovk__forget(ovk_ctx *ctx);

/* Gives a user's failure a sentence if the user left none, and returns err. */
ovk_err ovk__user_failed(ovk_ctx *ctx, ovk_err err, const char *what);

/* Collective: all ranks return the error of the lowest rank that has one, with its sentence. */
ovk_err ovk__agree(ovk_ctx *ctx, ovk_err local);

/* Collective: fails on all ranks unless all gave the same text. */
ovk_err ovk__agree_same(ovk_ctx *ctx, const char *what, const char *text);

#define OVK_FAIL(ctx, code, ...) ovk__fail((ctx), (code), __FILE__, __LINE__, __VA_ARGS__)

/* OVK_CHECK(n >= 0, ctx, OVK_ERR_ARG, "n is %d", n): returns from the caller if it does not hold.
 */
#define OVK_CHECK(condition, ctx, code, ...)                                                       \
  do {                                                                                             \
    if (!(condition)) return OVK_FAIL(ctx, code, __VA_ARGS__);                                     \
  } while (0)

/* Returns from the caller if the call fails. */
#define OVK_TRY(call)                                                                              \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_ != OVK_OK) return try_err_;                                                       \
  } while (0)

/* Returns from the caller if the MPI call fails. */
#define OVK_TRY_MPI(ctx, call)                                                                     \
  do {                                                                                             \
    const int try_mpi_ = (call);                                                                   \
    if (try_mpi_ != MPI_SUCCESS) return ovk__fail_mpi((ctx), try_mpi_, __FILE__, __LINE__, #call); \
  } while (0)

#endif
