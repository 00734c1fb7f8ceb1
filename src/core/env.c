/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the environment, in this file only, on rank 0 for all ranks: ranks with different settings
 * would hang. */
#include "base/check.h"
#include "core/ctx_impl.h"

#include <stdlib.h>
#include <string.h>

static ovk_err read_one(ovk_ctx *ctx, const char *name, char **value)
{
  const char *text = ctx->rank == 0 ? getenv(name) : NULL;
  int size = text && *text ? (int)strlen(text) + 1 : 0;
  OVK_TRY_MPI(ctx, MPI_Bcast(&size, 1, MPI_INT, 0, ctx->comm));
  if (!size) return OVK_OK;
  char *copy = malloc((size_t)size);
  const ovk_err err =
      ovk__agree(ctx, copy ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %s", name));
  if (err) {
    free(copy); /* ovk_log_write() is collective: no rank may have a path that others lack */
    return err;
  }
  *value = copy;
  if (text) memcpy(copy, text, (size_t)size);
  OVK_TRY_MPI(ctx, MPI_Bcast(copy, size, MPI_CHAR, 0, ctx->comm));
  return OVK_OK;
}

bool ovk__env_is_on(const char *value)
{
  return value && strcmp(value, "0") != 0;
}

ovk_err ovk__env_read(ovk_ctx *ctx, ovk__env *env)
{
  OVK_TRY(read_one(ctx, "OVK_BACKEND", &env->backend));
  OVK_TRY(read_one(ctx, "OVK_METHOD", &env->method));
  OVK_TRY(read_one(ctx, "OVK_HALO", &env->halo));
  OVK_TRY(read_one(ctx, "OVK_LOG", &env->log));
  OVK_TRY(read_one(ctx, "OVK_CHECK", &env->check));
  OVK_TRY(read_one(ctx, "OVK_CHECK_TIMEOUT", &env->check_timeout));
  OVK_TRY(read_one(ctx, "OVK_DEBUG", &env->debug));
  OVK_TRY(read_one(ctx, "OVK_AGENT_SECRET", &env->agent_secret));
  return OVK_OK;
}

ovk_err ovk__env_name_variable(ovk_ctx *ctx, ovk_err err, const char *variable)
{
  if (err) ovk__set_message(ctx, "%s: %s", variable, ctx->message);
  return err;
}

void ovk__env_free(ovk__env *env)
{
  free(env->backend);
  free(env->method);
  free(env->halo);
  free(env->log);
  free(env->check);
  free(env->check_timeout);
  free(env->debug);
  free(env->agent_secret);
}
