/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and closes engines: groups, the communicator of the node, shared memory. */
#include "comm/engine/engine.h"
#include "comm/net/endpoint.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "core/job.h"

#include <stdlib.h>

static ovk_err find_node(ovk__engine *e)
{
  ovk_ctx *ctx = e->ctx;
  ovk__transport_ctx *f = &e->transport;
  OVK_TRY_MPI(ctx, MPI_Comm_split_type(f->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &f->node));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(f->node, MPI_ERRORS_RETURN));
  OVK_TRY_MPI(ctx, MPI_Comm_group(f->comm, &f->comm_group));
  OVK_TRY_MPI(ctx, MPI_Comm_group(f->node, &f->node_group));
  ovk__arenas_init(ctx, f->node, &f->arenas);
  return ovk__spins(ctx, f->comm, f->arenas.size, &e->spins);
}

static ovk_err engine_make(ovk_ctx *ctx, MPI_Comm comm, ovk__engine **out)
{
  OVK_NEW_AT(ctx, *out, ovk__engine, engine);
  engine->ctx = ctx;
  engine->transport = (ovk__transport_ctx){.ctx = ctx,
                                           .comm = comm,
                                           .node = MPI_COMM_NULL,
                                           .comm_group = MPI_GROUP_NULL,
                                           .node_group = MPI_GROUP_NULL};
  return OVK_OK;
}

ovk_err ovk__engine_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine **out)
{
  *out = NULL;
  ovk_err err = ovk__agree(ctx, engine_make(ctx, comm, out));
  if (!err) err = ovk__agree(ctx, find_node(*out));
  if (err) ovk__engine_close(out);
  return err;
}

static void group_free(MPI_Group *group)
{
  if (*group != MPI_GROUP_NULL && !ovk__mpi_is_over()) MPI_Group_free(group);
}

void ovk__engine_close(ovk__engine **engine)
{
  ovk__engine *e = *engine;
  if (!e) return;
  ovk__transport_ctx *f = &e->transport;
  ovk__arenas_free(&f->arenas);
  group_free(&f->comm_group);
  group_free(&f->node_group);
  ovk__comm_free(&f->node);
  free(e);
  *engine = NULL;
}

void ovk__engine_use(ovk__engine *engine, struct ovk__endpoint *endpoint)
{
  engine->transport.endpoint = endpoint;
}

ovk_err ovk__engine_fail(const ovk__engine *engine, int code, const char *file, int line,
                         const char *what)
{
  if (code == MPI_SUCCESS) return OVK_OK;
  if (code != OVK__NETWORK_FAILED) return ovk__fail_mpi(engine->ctx, code, file, line, what);
  return ovk__fail(engine->ctx, OVK_ERR_NETWORK, file, line, "%s: %s", what,
                   ovk__endpoint_why(engine->transport.endpoint));
}
