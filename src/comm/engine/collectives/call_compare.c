/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that the arguments of all ranks match. Otherwise MPI would truncate messages or ranks
 * would hang. */
#include "comm/engine/collectives/create.h"
#include "comm/engine/collectives/mpi_types.h"
#include "comm/engine/collectives/own_schedule.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdio.h>
#include <stdlib.h>

enum { DESCRIPTION_SIZE = 160 };

/* Describes the arguments, other than the spec, that must be the same on all ranks. */
static void describe(const ovk__operation *o, const ovk__call *call, char text[DESCRIPTION_SIZE])
{
  int n = snprintf(text, DESCRIPTION_SIZE, "%s", o->name);
  const size_t most = DESCRIPTION_SIZE; /* more than all parts together can have */
  if (o->in == OVK__UNUSED) return;
  if (!ovk__has(o, OVK__VARIES)) {
    const ovk__side *side = o->out == OVK__UNUSED ? &call->in : &call->out;
    n += snprintf(text + n, most - (size_t)n, ", %d", side->count);
  }
  if (call->by_mpi) {
    char items[OVK__MPI_TYPE_TEXT];
    ovk__mpi_type_describe(call->mpi_type, call->mpi_op, items);
    n += snprintf(text + n, most - (size_t)n, " %s of %zu bytes", items, call->size);
  } else if (ovk__has(o, OVK__COMBINES)) {
    n += snprintf(text + n, most - (size_t)n, " %s, %s", ovk__type_name(call->type),
                  ovk__op_name(call->op));
  } else {
    n += snprintf(text + n, most - (size_t)n, " items of %zu bytes", call->size);
  }
  snprintf(text + n, most - (size_t)n, ", root %d", call->root);
}

/* The number of items sent to, or received from, `peer`. */
static int items_with(const ovk__operation *o, const ovk__call *call, ovk__side_kind kind,
                      const ovk__side *side, int peer)
{
  if (side->segments) return (int)side->segments[peer].count;
  if (kind == OVK__SHARES) return 0; /* only the shares of the root are used */
  return !ovk__has(o, OVK__FROM_ROOT | OVK__TO_ROOT) || peer == call->root ? side->count : 0;
}

/* Compares the numbers of items that all ranks send to this one with the numbers that it expects.
 */
static ovk_err compare_counts(const ovk__operation *o, const ovk__call *call, int *sends,
                              int *arrives)
{
  ovk_ctx *ctx = call->ctx;
  for (int peer = 0; peer < ctx->size; peer++) {
    sends[peer] = items_with(o, call, o->out, &call->out, peer);
  }
  OVK_TRY_MPI(ctx, MPI_Alltoall(sends, 1, MPI_INT, arrives, 1, MPI_INT, ctx->comm));
  for (int peer = 0; peer < ctx->size; peer++) {
    const int expected = items_with(o, call, o->in, &call->in, peer);
    OVK_CHECK(arrives[peer] == expected, ctx, OVK_ERR_ARG,
              "%s: rank %d sends %d items to rank %d, which expects %d", o->name, peer,
              arrives[peer], ctx->rank, expected);
  }
  return OVK_OK;
}

/* The same for neighbors: for each direction, all ranks send in this direction. */
static ovk_err compare_neighbors(const ovk__operation *o, const ovk__call *call)
{
  ovk_ctx *ctx = call->ctx;
  const int tag = ovk__ctx_tag(ctx);
  ovk_err err = OVK_OK;
  for (int k = 0; k < call->nshares; k++) {
    const int to = call->neighbors[k], from = call->neighbors[k ^ 1];
    const int sends = (int)call->out.segments[k].count;
    const int expected = (int)call->in.segments[k ^ 1].count;
    int arrives = expected; /* from no neighbor */
    OVK_TRY_MPI(ctx, MPI_Sendrecv(&sends, 1, MPI_INT, to, tag, &arrives, 1, MPI_INT, from, tag,
                                  ctx->comm, MPI_STATUS_IGNORE));
    if (arrives == expected || err) continue;
    err = OVK_FAIL(ctx, OVK_ERR_ARG, "%s: rank %d sends %d items to rank %d, which expects %d",
                   o->name, from, arrives, ctx->rank, expected);
  }
  return err;
}

static ovk_err make_list(ovk_ctx *ctx, int **out)
{
  OVK_NEW_ARRAY(ctx, *out, 2 * (size_t)ctx->size);
  return OVK_OK;
}

ovk_err ovk__call_compare(const ovk__operation *operation, const ovk__call *call)
{
  ovk_ctx *ctx = call->ctx;
  char text[DESCRIPTION_SIZE];
  describe(operation, call, text);
  OVK_TRY(ovk__agree_same(ctx, "collective operations", text));
  OVK_TRY(ovk__agree_same(ctx, "specs for a collective operation", call->text));
  if (ovk__has(operation, OVK__SCHEDULED)) return ovk__own_schedule_match(ctx, call->schedule);
  if (!ovk__has(operation, OVK__VARIES)) return OVK_OK;
  if (ovk__has(operation, OVK__NEIGHBORS))
    return ovk__agree(ctx, compare_neighbors(operation, call));
  int *list = NULL;
  ovk_err err = ovk__agree(ctx, make_list(ctx, &list));
  if (!err) err = ovk__agree(ctx, compare_counts(operation, call, list, list + ctx->size));
  free(list);
  return err;
}
