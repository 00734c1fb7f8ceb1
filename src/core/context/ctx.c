/* SPDX-License-Identifier: BSD-2-Clause */
/* The context: creates it over a duplicated communicator, and frees it with all that it owns. */
#include "core/context/agree.h"
#include "core/context/compare.h"
#include "core/context/ctx_impl.h"

#include <ovkrylov/version.h>
#include <stdio.h>
#include <stdlib.h>

const char *ovk_version(void)
{
  return OVK_VERSION;
}

static ovk_err ctx_check_mpi(void)
{
  int initialized = 0;
  MPI_Initialized(&initialized);
  return initialized && !ovk__mpi_is_over() ? OVK_OK : OVK_ERR_STATE;
}

static ovk_err check_comm(MPI_Comm comm)
{
  int inter = 0;
  if (comm == MPI_COMM_NULL) return OVK_ERR_ARG;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter) return OVK_ERR_ARG;
  return OVK_OK;
}

/* Check mode begins with OVK_CHECK=1. */
static ovk_err open_check_mode(ovk_ctx *ctx)
{
  ovk__compare *c = NULL;
  if (!ovk__env_is_on(ctx->env.check)) return OVK_OK;
  ovk_err err = ovk__agree(ctx, ovk__compare_create(ctx, &c));
  if (!err) err = ovk__agree(ctx, ovk__compare_connect(ctx, c));
  if (err) {
    ovk__compare_destroy(c);
  } else {
    ctx->compare = c;
  }
  return err;
}

/* Sets the communicator of ctx and, from the environment, its settings; if any rank passes an
 * error, all return one. */
static ovk_err ctx_connect(MPI_Comm comm, bool environment, ovk_ctx *ctx, ovk_err local)
{
  const int mine = (int)local;
  int worst = 0;
  if (MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS) return OVK_ERR_MPI;
  if (worst) return (ovk_err)worst;
  OVK_TRY_MPI(ctx, MPI_Comm_dup(comm, &ctx->comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(ctx->comm, MPI_ERRORS_RETURN));
  OVK_TRY_MPI(ctx, MPI_Comm_rank(ctx->comm, &ctx->rank));
  OVK_TRY_MPI(ctx, MPI_Comm_size(ctx->comm, &ctx->size));
  ovk__counter_start(&ctx->log.clock);
  if (environment) OVK_TRY(ovk__env_read(ctx, &ctx->env));
  return open_check_mode(ctx);
}

static ovk_err ctx_create(MPI_Comm comm, bool environment, ovk_ctx **out)
{
  if (out) *out = NULL;
  OVK_TRY(ctx_check_mpi());
  OVK_TRY(check_comm(comm));
  ovk_ctx *ctx = calloc(1, sizeof *ctx);
  if (ctx) *ctx = (ovk_ctx){.comm = MPI_COMM_NULL, .references = 1};
  const ovk_err local = !out ? OVK_ERR_ARG : !ctx ? OVK_ERR_MEMORY : OVK_OK;
  const ovk_err err = ctx_connect(comm, environment, ctx, local);
  if (err) {
    ovk_ctx_destroy(&ctx);
  } else {
    *out = ctx;
  }
  return err;
}

ovk_err ovk_ctx_create(MPI_Comm comm, ovk_ctx **out)
{
  return ctx_create(comm, true, out);
}

ovk_err ovk_ctx_create_no_env(MPI_Comm comm, ovk_ctx **out)
{
  return ctx_create(comm, false, out);
}

ovk_err ovk_ctx_create_f(MPI_Fint comm, ovk_ctx **out)
{
  if (out) *out = NULL;
  OVK_TRY(ctx_check_mpi()); /* before that no handle may be translated */
  return ovk_ctx_create(MPI_Comm_f2c(comm), out);
}

ovk_err ovk__ctx_create_alone(int rank, int size, ovk_ctx **out)
{
  *out = calloc(1, sizeof **out);
  if (!*out) return OVK_ERR_MEMORY;
  **out = (ovk_ctx){.comm = MPI_COMM_NULL, .rank = rank, .size = size, .references = 1};
  return OVK_OK;
}

void ovk_ctx_destroy(ovk_ctx **ctx)
{
  if (!ctx) return;
  ovk_ctx *given = *ctx;
  *ctx = NULL; /* before a notice can give it up again */
  ovk__ctx_release(given);
}

ovk_ctx *ovk__ctx_hold(ovk_ctx *ctx)
{
  if (ctx->in_backend) return NULL;
  ctx->references++;
  return ctx;
}

void ovk__ctx_release(ovk_ctx *ctx)
{
  if (!ctx || --ctx->references > 0) return;
  if (ctx->env.log && !ovk__mpi_is_over() && ovk_log_write(ctx, ctx->env.log))
    ovk__notify(ctx, "OVK_LOG: %s", ctx->message);
  while (ctx->resources) {
    ovk__resource *first = ctx->resources;
    ctx->resources = first->next;
    first->destroy(first);
  }
  ovk__compare_destroy(ctx->compare);
  ovk__comm_free(&ctx->comm);
  ovk__env_free(&ctx->env);
  free(ctx);
}

const char *ovk_ctx_error(const ovk_ctx *ctx)
{
  int initialized = 0;
  if (ctx) return ctx->message;
  MPI_Initialized(&initialized);
  return !initialized         ? "MPI is not initialized: call MPI_Init() before ovk_ctx_create()"
         : ovk__mpi_is_over() ? "MPI is finalized"
                              : "";
}

void ovk_ctx_on_notice(ovk_ctx *ctx, ovk_notice_fn notice, void *arg)
{
  if (!ctx) return;
  ctx->notice = notice;
  ctx->notice_arg = arg;
  if (notice) ovk__env_check(ctx);
}

void ovk_notice_print(void *file, const char *message)
{
  if (file) fprintf(file, "ovkrylov: %s\n", message);
}

MPI_Comm ovk_ctx_comm(const ovk_ctx *ctx)
{
  return ctx ? ctx->comm : MPI_COMM_NULL;
}

int ovk_ctx_rank(const ovk_ctx *ctx)
{
  return ctx ? ctx->rank : 0;
}

int ovk_ctx_size(const ovk_ctx *ctx)
{
  return ctx ? ctx->size : 0;
}

void ovk__ctx_own(ovk_ctx *ctx, ovk__resource *resource)
{
  resource->next = ctx->resources;
  ctx->resources = resource;
}

ovk__resource *ovk__ctx_find(const ovk_ctx *ctx, const void *owner)
{
  ovk__resource *r = ctx->resources;
  while (r && r->owner != owner) r = r->next;
  return r;
}

int ovk__ctx_tag(ovk_ctx *ctx)
{
  enum { TAGS = 32768 }; /* MPI guarantees tags up to 32767 */
  const int tag = ctx->next_tag;
  ctx->next_tag = (tag + 1) % TAGS;
  return tag;
}
