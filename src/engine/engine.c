/* SPDX-License-Identifier: BSD-2-Clause */
/* Where runs take place. */
#include "engine/engine.h"
#include "engine/job.h"
#include "engine/verbs/endpoint.h"

#include <stdlib.h>

static ovk_err find_node(ovk__engine *e)
{
  ovk_ctx *ctx = e->ctx;
  OVK_TRY_MPI(ctx, MPI_Comm_split_type(e->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &e->node));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(e->node, MPI_ERRORS_RETURN));
  OVK_TRY_MPI(ctx, MPI_Comm_group(e->comm, &e->comm_group));
  OVK_TRY_MPI(ctx, MPI_Comm_group(e->node, &e->node_group));
  ovk__arenas_init(ctx, e->node, &e->arenas);
  e->spins = ovk__spins(e->arenas.size);
  return OVK_OK;
}

static ovk_err make(ovk_ctx *ctx, MPI_Comm comm, ovk__engine **out)
{
  ovk__engine *e = calloc(1, sizeof *e);
  OVK_CHECK(e, ctx, OVK_ERR_MEMORY, "no memory for an engine of collective operations");
  e->ctx = ctx;
  e->comm = comm;
  e->node = MPI_COMM_NULL;
  e->comm_group = e->node_group = MPI_GROUP_NULL;
  *out = e;
  return OVK_OK;
}

ovk_err ovk__engine_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine **out)
{
  *out = NULL;
  ovk_err err = ovk__agree(ctx, make(ctx, comm, out));
  if (!err) err = ovk__agree(ctx, find_node(*out));
  if (err) ovk__engine_close(out);
  return err;
}

void ovk__engine_close(ovk__engine **engine)
{
  ovk__engine *e = *engine;
  if (!e) return;
  ovk__arenas_free(&e->arenas);
  if (e->comm_group != MPI_GROUP_NULL) MPI_Group_free(&e->comm_group);
  if (e->node_group != MPI_GROUP_NULL) MPI_Group_free(&e->node_group);
  if (e->node != MPI_COMM_NULL) MPI_Comm_free(&e->node);
  free(e);
  *engine = NULL;
}

void ovk__engine_use(ovk__engine *engine, struct ovk__endpoint *endpoint)
{
  engine->endpoint = endpoint;
}

ovk_err ovk__engine_fail(const ovk__engine *engine, int code, const char *file, int line,
                         const char *what)
{
  if (code == MPI_SUCCESS) return OVK_OK;
  if (code != OVK__NETWORK_FAILED) return ovk__fail_mpi(engine->ctx, code, file, line, what);
  return ovk__fail(engine->ctx, OVK_ERR_NETWORK, file, line, "%s: %s", what,
                   ovk__endpoint_why(engine->endpoint));
}

int ovk__engine_node_rank(const ovk__engine *engine, int peer)
{
  int rank = MPI_UNDEFINED;
  MPI_Group_translate_ranks(engine->comm_group, 1, &peer, engine->node_group, &rank);
  return rank;
}
