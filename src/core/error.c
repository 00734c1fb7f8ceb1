/* SPDX-License-Identifier: BSD-2-Clause */
/* Error codes, the context's last sentence, and how ranks agree on one error. */
#include "core/check.h"
#include "core/ctx_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ovk_err_name(ovk_err err)
{
  switch (err) {
#define OVK_ERROR_NAME(name, value, text)                                                          \
  case name:                                                                                       \
    return #name;
    OVK_ERROR_LIST(OVK_ERROR_NAME)
#undef OVK_ERROR_NAME
  }
  return "unknown";
}

const char *ovk_err_text(ovk_err err)
{
  switch (err) {
#define OVK_ERROR_TEXT(name, value, text)                                                          \
  case name:                                                                                       \
    return text;
    OVK_ERROR_LIST(OVK_ERROR_TEXT)
#undef OVK_ERROR_TEXT
  }
  return "unknown error code";
}

/* Replaces the sentence by "file:line: format", or without a place if file is NULL. By way of a
 * second buffer, so that the new sentence may quote the old one. */
static void set_message(ovk_ctx *ctx, const char *file, int line, const char *format, va_list args)
{
  char text[OVK__MESSAGE_SIZE] = "";
  const int used = file ? snprintf(text, sizeof text, "%s:%d: ", file, line) : 0;
  vsnprintf(text + used, sizeof text - (size_t)used, format, args);
  memcpy(ctx->message, text, sizeof text);
}

ovk_err ovk__fail(ovk_ctx *ctx, ovk_err code, const char *file, int line, const char *format, ...)
{
  if (!ctx) return code;
  const char *slash = strrchr(file, '/');
  va_list args;
  va_start(args, format);
  set_message(ctx, slash ? slash + 1 : file, line, format, args);
  va_end(args);
  return code;
}

ovk_err ovk__fail_mpi(ovk_ctx *ctx, int mpi_code, const char *file, int line, const char *call)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(mpi_code, text, &length);
  return ovk__fail(ctx, OVK_ERR_MPI, file, line, "%.*s: %s", (int)strcspn(call, "("), call, text);
}

ovk_err ovk_ctx_fail(ovk_ctx *ctx, ovk_err code, const char *format, ...)
{
  if (ctx) {
    va_list args;
    va_start(args, format);
    set_message(ctx, NULL, 0, format, args);
    va_end(args);
  }
  return code;
}

void ovk__say(ovk_ctx *ctx, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  set_message(ctx, NULL, 0, format, args);
  va_end(args);
}

void ovk__notify(ovk_ctx *ctx, const char *format, ...)
{
  if (!ctx->notice) return;
  char text[OVK__MESSAGE_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  ctx->notice(ctx->notice_arg, text);
}

void ovk__forget(ovk_ctx *ctx)
{
  ctx->message[0] = '\0';
}

ovk_err ovk__user_failed(ovk_ctx *ctx, ovk_err err, const char *what)
{
  if (err && !ctx->message[0]) ovk__say(ctx, "%s returned %s", what, ovk_err_name(err));
  return err;
}

/* The least over the context's ranks. Others may need what this rank has under way before they come
 * here; and as ranks differ in that, all of them must make the same call. */
static ovk_err least_of_all(ovk_ctx *ctx, const void *in, void *out, int n, MPI_Datatype type)
{
  MPI_Request request;
  OVK_TRY_MPI(ctx, MPI_Iallreduce(in, out, n, type, MPI_MIN, ctx->comm, &request));
  for (int over = 0; !over && ctx->jobs;) {
    OVK_TRY_MPI(ctx, MPI_Test(&request, &over, MPI_STATUS_IGNORE));
    if (!over) ctx->serve(ctx);
  }
  OVK_TRY_MPI(ctx, MPI_Wait(&request, MPI_STATUS_IGNORE));
  return OVK_OK;
}

ovk_err ovk__agree(ovk_ctx *ctx, ovk_err local)
{
  const int mine = local ? ctx->rank : ctx->size;
  int first;
  OVK_TRY(least_of_all(ctx, &mine, &first, 1, MPI_INT));
  if (first == ctx->size) return OVK_OK;
  int code = (int)local;
  OVK_TRY_MPI(ctx, MPI_Bcast(&code, 1, MPI_INT, first, ctx->comm));
  OVK_TRY_MPI(ctx, MPI_Bcast(ctx->message, OVK__MESSAGE_SIZE, MPI_CHAR, first, ctx->comm));
  return (ovk_err)code;
}

/* FNV-1a, 64 bits. */
static uint64_t hash_text(const char *text)
{
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

ovk_err ovk__agree_same(ovk_ctx *ctx, const char *what, const char *text)
{
  const uint64_t hash = hash_text(text);
  const uint64_t mine[2] = {hash, ~hash};
  uint64_t least[2]; /* the least hash, and the complement of the greatest */
  OVK_TRY(least_of_all(ctx, mine, least, 2, MPI_UINT64_T));
  if (least[0] == ~least[1]) return OVK_OK;
  return ovk__agree(ctx,
                    OVK_FAIL(ctx, OVK_ERR_ARG, "the ranks were given different %s; rank %d: %s",
                             what, ctx->rank, text));
}
