/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the ranks that share memory with this one. */
#include "core/node/node.h"
#include "core/base/sorted.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/job.h"
#include "core/node/meeting.h"

#include <stdlib.h>

/* Identifies nodes among the context's resources. */
static const char mark;

static void node_close(ovk__resource *self)
{
  ovk__node *n = (ovk__node *)self;
  ovk__meeting_close(n->arenas.ctx);
  ovk__arenas_free(&n->arenas);
  ovk__comm_free(&n->comm);
  free(n->members);
  free(n);
}

static ovk_err node_make(ovk_ctx *ctx, ovk__node **out)
{
  OVK_NEW_AT(ctx, *out, ovk__node, node);
  node->resource = (ovk__resource){NULL, &mark, node_close};
  node->comm = MPI_COMM_NULL;
  node->arenas.ctx = ctx;
  OVK_NEW_ARRAY(ctx, node->members, ctx->size);
  return OVK_OK;
}

/* Of all ranks, the communicator is that of the context. */
static ovk_err node_split(ovk_ctx *ctx, ovk__node *n)
{
  OVK_TRY_MPI(ctx,
              MPI_Comm_split_type(ctx->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &n->comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(n->comm, MPI_ERRORS_RETURN));
  OVK_TRY_MPI(ctx, MPI_Allgather(&ctx->rank, 1, MPI_INT, n->members, 1, MPI_INT, n->comm));
  ovk__arenas_init(ctx, n->comm, &n->arenas);
  if (n->arenas.size < ctx->size) return OVK_OK;
  OVK_TRY_MPI(ctx, MPI_Comm_free(&n->comm));
  n->arenas.comm = ctx->comm;
  return OVK_OK;
}

/* Collective; errors are not agreed, but no rank hangs. */
static ovk_err node_explore(ovk_ctx *ctx, ovk__node *n)
{
  enum { MOST_FEW = 100 };
  OVK_TRY(node_split(ctx, n));
  OVK_TRY(ovk__spins(ctx, ctx->comm, n->arenas.size, &n->spins));
  n->few_spins = n->spins < MOST_FEW ? n->spins : MOST_FEW;
  return OVK_OK;
}

ovk_err ovk__node_find(ovk_ctx *ctx, ovk__node **out)
{
  *out = (ovk__node *)ovk__ctx_find(ctx, &mark);
  if (*out) return OVK_OK;
  ovk_err err = ovk__agree(ctx, node_make(ctx, out));
  if (!err) err = ovk__agree(ctx, node_explore(ctx, *out));
  if (!err) {
    ovk__ctx_own(ctx, &(*out)->resource);
    if (ovk__node_has_all(*out)) ovk__meeting_open(ctx, &(*out)->arenas, (*out)->few_spins);
  } else if (*out) {
    node_close(&(*out)->resource);
    *out = NULL;
  }
  return err;
}

int ovk__node_rank(const ovk__node *node, int rank)
{
  OVK_BISECT(int, k, 0, node->arenas.size, node->members[middle] < rank);
  return k < node->arenas.size && node->members[k] == rank ? k : -1;
}
