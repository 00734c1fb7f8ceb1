/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding and opening engines by spec. */
#include "engine/collectives/shared_engine.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

/* Marks these engines among the context's resources. */
static const char mark;

static void close_shared(ovk__resource *self)
{
  ovk__shared_engine *s = (ovk__shared_engine *)self;
  ovk__engine_close(&s->engine);
  if (s->comm != MPI_COMM_NULL) MPI_Comm_free(&s->comm);
  free(s->spec);
  free(s);
}

static ovk__shared_engine *find(const ovk_ctx *ctx, const char *spec)
{
  for (ovk__resource *r = ctx->resources; r; r = r->next) {
    ovk__shared_engine *s = (ovk__shared_engine *)r;
    if (r->owner == &mark && strcmp(s->spec, spec) == 0) return s;
  }
  return NULL;
}

static ovk_err make(ovk_ctx *ctx, const char *spec, ovk__shared_engine **out)
{
  ovk__shared_engine *s = calloc(1, sizeof *s);
  OVK_CHECK(s, ctx, OVK_ERR_MEMORY, "no memory for collective operations");
  *out = s;
  s->resource = (ovk__resource){NULL, &mark, close_shared};
  s->ctx = ctx;
  s->comm = MPI_COMM_NULL;
  s->spec = ovk__copy_text(spec);
  OVK_CHECK(s->spec, ctx, OVK_ERR_MEMORY, "no memory for collective operations");
  return OVK_OK;
}

static ovk_err open_comm(ovk__shared_engine *s)
{
  OVK_TRY_MPI(s->ctx, MPI_Comm_dup(s->ctx->comm, &s->comm));
  OVK_TRY_MPI(s->ctx, MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN));
  return OVK_OK;
}

ovk_err ovk__shared_engine_open(ovk_ctx *ctx, const char *spec, ovk__shared_engine **out)
{
  *out = find(ctx, spec);
  if (*out) return OVK_OK;
  ovk_err err = ovk__agree(ctx, make(ctx, spec, out));
  if (!err) err = ovk__agree(ctx, open_comm(*out));
  if (!err) err = ovk__engine_open(ctx, (*out)->comm, &(*out)->engine);
  if (!err) {
    ovk__ctx_own(ctx, &(*out)->resource);
  } else if (*out) {
    close_shared(&(*out)->resource);
    *out = NULL;
  }
  return err;
}

int ovk__shared_engine_tag(ovk__shared_engine *shared)
{
  const int tag = shared->next_tag;
  shared->next_tag = (tag + 1) % OVK__TAGS;
  return tag;
}
