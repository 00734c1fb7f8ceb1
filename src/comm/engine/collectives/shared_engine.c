/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds or opens the engine for a spec. */
#include "comm/engine/collectives/shared_engine.h"
#include "comm/agent/agent.h"
#include "comm/engine/schedule/algorithm_spec.h"
#include "comm/net/endpoint.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

/* Identifies shared engines among the resources of the context. */
static const char mark;

static void close_shared(ovk__resource *self)
{
  ovk__shared_engine *s = (ovk__shared_engine *)self;
  ovk__agent_close(&s->agent);
  ovk__engine_close(&s->engine);
  ovk__endpoint_close(&s->endpoint);
  ovk__comm_free(&s->comm);
  ovk_spec_destroy(&s->spec);
  free(s);
}

/* The keys of the NIC and of the agent. */
static const ovk_option keys[] = {OVK__ENDPOINT_OPTIONS, OVK_FLAG("agent", "")};

/* Whether two specs use the same engine: they have the same name and the same values of `keys`. */
static bool agree(const ovk_spec *a, const ovk_spec *b)
{
  bool same = strcmp(ovk_spec_name(a), ovk_spec_name(b)) == 0;
  for (size_t k = 0; same && k < sizeof keys / sizeof *keys; k++) {
    const char *key = keys[k].name;
    same = ovk_spec_has(a, key) == ovk_spec_has(b, key) &&
           strcmp(ovk_spec_string(a, key, ""), ovk_spec_string(b, key, "")) == 0;
  }
  return same;
}

static ovk__shared_engine *find(const ovk_ctx *ctx, const ovk_spec *spec)
{
  for (ovk__resource *r = ctx->resources; r; r = r->next) {
    ovk__shared_engine *s = (ovk__shared_engine *)r;
    if (r->owner == &mark && agree(s->spec, spec)) return s;
  }
  return NULL;
}

static ovk_err shared_engine_make(ovk_ctx *ctx, const ovk_spec *spec, ovk__shared_engine **out)
{
  OVK_NEW_AT(ctx, *out, ovk__shared_engine, shared);
  shared->resource = (ovk__resource){NULL, &mark, close_shared};
  shared->comm = MPI_COMM_NULL;
  return ovk_spec_parse(ctx, ovk_spec_text(spec), &shared->spec);
}

static ovk_err open_comm(ovk_ctx *ctx, ovk__shared_engine *s)
{
  OVK_TRY_MPI(ctx, MPI_Comm_dup(ctx->comm, &s->comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN));
  return OVK_OK;
}

static ovk_err open_endpoint(ovk_ctx *ctx, ovk__shared_engine *s)
{
  if (strcmp(ovk_spec_name(s->spec), ovk__channel_names[OVK__RDMA]) != 0) return OVK_OK;
  OVK_TRY(ovk__endpoint_open(ctx, s->comm, s->spec, &s->endpoint));
  ovk__engine_use(s->engine, s->endpoint);
  return OVK_OK;
}

static ovk_err open_agent(ovk__shared_engine *s)
{
  const bool wanted = strcmp(ovk_spec_string(s->spec, "agent", "none"), "none") != 0;
  return wanted ? ovk__agent_open_local(s->engine, &s->agent) : OVK_OK;
}

ovk_err ovk__shared_engine_open(ovk_ctx *ctx, const ovk_spec *spec, ovk__shared_engine **out)
{
  *out = find(ctx, spec);
  if (*out) return OVK_OK;
  ovk_err err = ovk__agree(ctx, shared_engine_make(ctx, spec, out));
  if (!err) err = ovk__agree(ctx, open_comm(ctx, *out));
  if (!err) err = ovk__engine_open(ctx, (*out)->comm, &(*out)->engine);
  if (!err) err = ovk__agree(ctx, open_endpoint(ctx, *out));
  if (!err) err = ovk__agree(ctx, open_agent(*out));
  if (!err) {
    ovk__ctx_own(ctx, &(*out)->resource);
  } else if (*out) {
    close_shared(&(*out)->resource);
    *out = NULL;
  }
  return err;
}
