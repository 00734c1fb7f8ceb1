/* SPDX-License-Identifier: BSD-2-Clause */
/* Error codes, and the context's error message. Agreement of ranks on errors: agree.c. */
#include "core/context/check.h"
#include "core/context/ctx_impl.h"
#include "core/context/error_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *text;
} errors[] = {
#define OVK_ERROR_ROW(name, value, text) [value] = {#name, text},
    OVK_ERROR_LIST(OVK_ERROR_ROW)
#undef OVK_ERROR_ROW
};

static bool is_known(ovk_err err)
{
  return (size_t)err < sizeof errors / sizeof *errors;
}

const char *ovk_err_name(ovk_err err)
{
  return is_known(err) ? errors[err].name : "unknown";
}

const char *ovk_err_text(ovk_err err)
{
  return is_known(err) ? errors[err].text : "unknown error code";
}

/* Replaces the message by "file:line: format", or without a place if file is NULL. A second buffer
 * allows the new message to quote the old one. */
static void set_message(ovk_ctx *ctx, const char *file, int line, const char *format, va_list args)
{
  char text[OVK__MESSAGE_SIZE] = "";
  const int used = file ? snprintf(text, sizeof text, "%s:%d: ", file, line) : 0;
  vsnprintf(text + used, sizeof text - (size_t)used, format, args);
  memcpy(ctx->message, text, sizeof text);
  ctx->message_count++;
}

ovk_err ovk__fail(ovk_ctx *ctx, ovk_err code, const char *file, int line, const char *format, ...)
{
  if (!ctx) return code;
  const char *slash = strrchr(file, '/');
  const char *place = ovk__env_is_on(ctx->env.debug) ? slash ? slash + 1 : file : NULL;
  va_list args;
  va_start(args, format);
  set_message(ctx, place, line, format, args);
  va_end(args);
  return code;
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

void ovk__set_message(ovk_ctx *ctx, const char *format, ...)
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

void ovk__clear_message(ovk_ctx *ctx)
{
  ctx->message[0] = '\0';
}

ovk_err ovk__user_failed(ovk_ctx *ctx, unsigned before, ovk_err err, const char *what)
{
  if (!err || ctx->message_count != before) return err;
  if (is_known(err)) {
    ovk__set_message(ctx, "%s returned %s", what, ovk_err_name(err));
  } else {
    ovk__set_message(ctx, "%s returned %d, which is no OVK_ERR_...", what, (int)err);
  }
  return err;
}
