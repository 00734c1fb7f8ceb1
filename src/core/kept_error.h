/* SPDX-License-Identifier: BSD-2-Clause */
/* The first error of several calls, with its message, for a function that returns it later. */
#ifndef OVK_CORE_KEPT_ERROR_H
#define OVK_CORE_KEPT_ERROR_H

#include "core/context/ctx_impl.h"

#include <string.h>

/* All zero: no error. */
typedef struct ovk__kept_error {
  ovk_err err;
  char message[OVK__MESSAGE_SIZE];
} ovk__kept_error;

/* Keeps an error, whose message is that of the context, unless one is kept already. */
static inline void ovk__keep_error(const ovk_ctx *ctx, ovk_err err, ovk__kept_error *kept)
{
  if (!err || kept->err) return;
  kept->err = err;
  memcpy(kept->message, ctx->message, sizeof kept->message);
}

/* Returns the kept error. Its message is that of the context again. */
static inline ovk_err ovk__kept_error_of(ovk_ctx *ctx, const ovk__kept_error *kept)
{
  if (kept->err) ovk__set_message(ctx, "%s", kept->message);
  return kept->err;
}

#endif
