/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the ranks that share memory with this one. */
#include "matrix/halo/node.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "core/job.h"

#include <stdlib.h>

/* Identifies nodes among the context's resources. */
static const char mark;

static void close_node(ovk__resource *self)
{
  ovk__halo_node *n = (ovk__halo_node *)self;
  ovk__arenas_free(&n->arenas);
  ovk__comm_free(&n->comm);
  free(n->members);
  free(n);
}

static ovk_err halo_node_make(ovk_ctx *ctx, ovk__halo_node **out)
{
  ovk__halo_node *n = *out = calloc(1, sizeof *n);
  OVK_CHECK(n, ctx, OVK_ERR_MEMORY, "no memory for a halo exchange");
  n->resource = (ovk__resource){NULL, &mark, close_node};
  n->comm = MPI_COMM_NULL;
  OVK_NEW_ARRAY(ctx, n->members, ctx->size);
  return OVK_OK;
}

/* Collective; errors are not agreed, but no rank hangs. */
static ovk_err find_members(ovk_ctx *ctx, ovk__halo_node *n)
{
  enum { MAX_SPINS = 100 }; /* a waiting rank calls the MPI after these, for messages of others */
  OVK_TRY_MPI(ctx,
              MPI_Comm_split_type(ctx->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &n->comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(n->comm, MPI_ERRORS_RETURN));
  OVK_TRY_MPI(ctx, MPI_Allgather(&ctx->rank, 1, MPI_INT, n->members, 1, MPI_INT, n->comm));
  ovk__arenas_init(ctx, n->comm, &n->arenas);
  OVK_TRY(ovk__spins(ctx, ctx->comm, n->arenas.size, &n->spins));
  if (n->spins > MAX_SPINS) n->spins = MAX_SPINS;
  return OVK_OK;
}

ovk_err ovk__halo_node_find(ovk_ctx *ctx, ovk__halo_node **out)
{
  *out = (ovk__halo_node *)ovk__ctx_find(ctx, &mark);
  if (*out) return OVK_OK;
  ovk_err err = ovk__agree(ctx, halo_node_make(ctx, out));
  if (!err) err = ovk__agree(ctx, find_members(ctx, *out));
  if (!err) {
    ovk__ctx_own(ctx, &(*out)->resource);
  } else if (*out) {
    close_node(&(*out)->resource);
    *out = NULL;
  }
  return err;
}

int ovk__halo_node_rank(const ovk__halo_node *node, int rank)
{
  int low = 0, high = node->arenas.size;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (node->members[middle] == rank) return middle;
    if (node->members[middle] < rank) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return -1;
}
