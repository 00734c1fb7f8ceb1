/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the engine, or opening it. */
#include "engine/collectives/shared_engine.h"

#include <stdlib.h>

/* Marks it among the context's resources. */
static const char mark;

static void close_shared(ovk__resource *self)
{
  ovk__shared_engine *s = (ovk__shared_engine *)self;
  ovk__engine_close(&s->engine);
  if (s->comm != MPI_COMM_NULL) MPI_Comm_free(&s->comm);
  free(s);
}

static ovk__shared_engine *find(const ovk_ctx *ctx)
{
  ovk__resource *r = ctx->resources;
  while (r && r->owner != &mark) r = r->next;
  return (ovk__shared_engine *)r;
}

static ovk_err make(ovk_ctx *ctx, ovk__shared_engine **out)
{
  ovk__shared_engine *s = *out = calloc(1, sizeof *s);
  OVK_CHECK(s, ctx, OVK_ERR_MEMORY, "no memory for collective operations");
  s->resource = (ovk__resource){NULL, &mark, close_shared};
  s->comm = MPI_COMM_NULL;
  return OVK_OK;
}

static ovk_err open_comm(ovk_ctx *ctx, ovk__shared_engine *s)
{
  OVK_TRY_MPI(ctx, MPI_Comm_dup(ctx->comm, &s->comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN));
  return OVK_OK;
}

ovk_err ovk__shared_engine_open(ovk_ctx *ctx, ovk__shared_engine **out)
{
  *out = find(ctx);
  if (*out) return OVK_OK;
  ovk_err err = ovk__agree(ctx, make(ctx, out));
  if (!err) err = ovk__agree(ctx, open_comm(ctx, *out));
  if (!err) err = ovk__engine_open(ctx, (*out)->comm, &(*out)->engine);
  if (!err) {
    ovk__ctx_own(ctx, &(*out)->resource);
  } else if (*out) {
    close_shared(&(*out)->resource);
    *out = NULL;
  }
  return err;
}
