/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the environment, in this file only, on rank 0 for all ranks: ranks with different settings
 * would hang. */
#include "core/base/did_you_mean.h"
#include "core/context/agree.h"
#include "core/context/atomic_write.h"
#include "core/context/check.h"
#include "core/context/ctx_impl.h"

#include <ovkrylov/list.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char prefix[] = "OVK_";

/* All variables, without the prefix: those of this file, then those of the preloaded libraries
 * (bindings/mpi). */
static const char *const known[] = {
#define ENV_NAME(name, member) #name,
    OVK__ENV_LIST(ENV_NAME)
#undef ENV_NAME
        "DELAY_US",
    "MPI_BACKEND",
    "MPI_EXACT",
    "MPI_MAX_BYTES",
    "MPI_MAX_MESSAGES",
    "MPI_LOG",
};
enum { KNOWN = sizeof known / sizeof *known };

/* The bytes of a variable's text with its end; 0 if it is not set. */
static int size_of(const char *name)
{
  const char *text = getenv(name);
  return text && *text ? (int)strlen(text) + 1 : 0;
}

/* A variable of `size` bytes on rank 0. */
static ovk_err read_one(ovk_ctx *ctx, const char *name, int size, char **value)
{
  if (!size) return OVK_OK;
  const char *text = ctx->rank == 0 ? getenv(name) : NULL;
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

ovk_err ovk__env_read(ovk_ctx *ctx, ovk__env *env)
{
  enum {
#define ENV_INDEX(name, member) AT_##member,
    OVK__ENV_LIST(ENV_INDEX)
#undef ENV_INDEX
        COUNT
  };
  int sizes[COUNT] = {
#define ENV_SIZE(name, member) size_of("OVK_" #name),
      OVK__ENV_LIST(ENV_SIZE)
#undef ENV_SIZE
  };
  OVK_TRY_MPI(ctx, MPI_Bcast(sizes, COUNT, MPI_INT, 0, ctx->comm));
#define ENV_READ(name, member)                                                                     \
  OVK_TRY(read_one(ctx, "OVK_" #name, sizes[AT_##member], &env->member));
  OVK__ENV_LIST(ENV_READ)
#undef ENV_READ
  env->unchecked = true;
  return OVK_OK;
}

/* `name` is without the prefix. Variables of the tests of the project are accepted. */
static bool is_known(const char *name)
{
  if (strncmp(name, "TEST_", 5) == 0 || strcmp(name, "MATRIX_DIR") == 0) return true;
  for (int k = 0; k < KNOWN; k++) {
    if (strcmp(name, known[k]) == 0) return true;
  }
  return false;
}

/* `entry` is "NAME=value". */
static void check_variable(ovk_ctx *ctx, const char *entry)
{
  char name[OVK__NAME_MAX + 1];
  const size_t skipped = sizeof prefix - 1, length = strcspn(entry, "=");
  if (strncmp(entry, prefix, skipped) != 0 || length - skipped > OVK__NAME_MAX) return;
  memcpy(name, entry + skipped, length - skipped);
  name[length - skipped] = '\0';
  if (is_known(name)) return;
  const char *closest = ovk_closest(name, known, KNOWN);
  ovk__notify(ctx, "the environment has %s%s, which ovkrylov does not know%s%s%s%s", prefix, name,
              closest ? ", did you mean '" : "", closest ? prefix : "", closest ? closest : "",
              closest ? "'?" : "");
}

/* Whether the log could be written now, as far as can be checked. */
static ovk_err check_log(ovk_ctx *ctx)
{
  ovk__file_replacement file;
  if (!ctx->env.log) return OVK_OK;
  OVK_TRY(ovk__replace_begin(ctx, ctx->env.log, &file));
  ovk__replace_abandon(&file);
  return OVK_OK;
}

void ovk__env_check(ovk_ctx *ctx)
{
  char kept[OVK__MESSAGE_SIZE];
  if (!ctx->env.unchecked || ctx->rank != 0) return;
  ctx->env.unchecked = false;
  for (char **entry = environ; entry && *entry; entry++) check_variable(ctx, *entry);
  memcpy(kept, ctx->message, sizeof kept);
  if (check_log(ctx)) ovk__notify(ctx, "OVK_LOG: %s", ctx->message);
  memcpy(ctx->message, kept, sizeof kept);
}

ovk_err ovk__env_name_variable(ovk_ctx *ctx, ovk_err err, const char *variable)
{
  if (err) ovk__set_message(ctx, "%s: %s", variable, ctx->message);
  return err;
}

void ovk__env_free(ovk__env *env)
{
#define ENV_FREE(name, member) free(env->member);
  OVK__ENV_LIST(ENV_FREE)
#undef ENV_FREE
}
