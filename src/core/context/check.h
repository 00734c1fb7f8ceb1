/* SPDX-License-Identifier: BSD-2-Clause */
/* Macros for checking arguments, calls and MPI: record an error message, then return. */
#ifndef OVK_CORE_CONTEXT_CHECK_H
#define OVK_CORE_CONTEXT_CHECK_H

#include <ovkrylov/ctx.h>
#include <stdbool.h>
#include <stdint.h>

/* Records the error message in ctx, with OVK_DEBUG=1 as "file:line: message", and returns code. ctx
 * may be NULL. */
ovk_err ovk__fail(ovk_ctx *ctx, ovk_err code, const char *file, int line, const char *format, ...)
    OVK_PRINTF(5, 6);

/* The same for an MPI return code, with the text of MPI. */
ovk_err ovk__fail_mpi(ovk_ctx *ctx, int mpi_code, const char *file, int line, const char *call);

/* Records a message that is no error: why a solve ended. */
void ovk__set_message(ovk_ctx *ctx, const char *format, ...) OVK_PRINTF(2, 3);

/* Passes a notice, which is no error, to the user's callback for notices. */
void ovk__notify(ovk_ctx *ctx, const char *format, ...) OVK_PRINTF(2, 3);

/* Clears the message. A failure that is to be reported later must have kept its own. */
void ovk__clear_message(ovk_ctx *ctx);

/* Records a message for an error of a user's function if that recorded none, and returns err;
 * `before` is ctx->message_count before the call. */
ovk_err ovk__user_failed(ovk_ctx *ctx, unsigned before, ovk_err err, const char *what);

/* Returns from the caller the result of `call`, a user's function. */
#define OVK_RETURN_USERS(ctx, call, what)                                                          \
  do {                                                                                             \
    const unsigned user_before_ = (ctx)->message_count;                                            \
    const ovk_err user_err_ = (call);                                                              \
    return ovk__user_failed((ctx), user_before_, user_err_, (what));                               \
  } while (0)

/* A place in the source. */
typedef struct ovk__place {
  const char *function, *file;
  int line;
} ovk__place;

#define OVK__HERE ((ovk__place){__func__, __FILE__, __LINE__})

#define OVK_FAIL(ctx, code, ...) ovk__fail((ctx), (code), __FILE__, __LINE__, __VA_ARGS__)

/* OVK_CHECK(n >= 0, ctx, OVK_ERR_ARG, "n is %d", n): returns from the caller if the condition is
 * false. */
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
#define OVK_TRY_MPI(ctx, call) OVK_CHECK_MPI(ctx, call, #call)

/* The same for a code that the function `name` of MPI has returned before. */
#define OVK_CHECK_MPI(ctx, code, name)                                                             \
  do {                                                                                             \
    const int try_mpi_ = (code);                                                                   \
    if (try_mpi_ != MPI_SUCCESS)                                                                   \
      return ovk__fail_mpi((ctx), try_mpi_, __FILE__, __LINE__, (name));                           \
  } while (0)

#endif
