/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the arguments of this rank and lists the shares. */
#include "comm/engine/collectives/create.h"
#include "comm/engine/collectives/mpi_types.h"
#include "comm/engine/collectives/own_schedule.h"
#include "comm/net/endpoint.h"
#include "core/base/did_you_mean.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <limits.h>
#include <string.h>

static ovk_err check_name(const ovk__operation *o, ovk__call *call)
{
  enum { NBC, VERBS, NNAMES };
  static const char *const names[NNAMES] = {[NBC] = "nbc", [VERBS] = "verbs"};
  const char *name = ovk_spec_name(call->spec);
  int k = 0;
  while (k < NNAMES && strcmp(name, names[k]) != 0) k++;
  if (k == NNAMES) {
    char hint[OVK__HINT_SIZE];
    ovk__hint(hint, name, names, NNAMES, "there are");
    return OVK_FAIL(call->ctx, OVK_ERR_UNKNOWN, "%s: unknown engine '%s'%s", o->name, name, hint);
  }
  OVK_CHECK(!ovk_spec_inner(call->spec), call->ctx, OVK_ERR_ARG, "%s: '%s' has nothing to decorate",
            o->name, name);
  call->over_verbs = k == VERBS;
  return OVK_OK;
}

static bool has_shares(const ovk__operation *o)
{
  return o->out == OVK__SHARES || o->in == OVK__SHARES;
}

/* Default numbers of RDMA writes in flight, of operations without and with shares: Kandalla et al.,
 * see collectives.h. */
static const ovk_option writes_of[][2] = {
    {OVK_INTEGER("window", 1, INT_MAX, 0, "RDMA writes in flight"), OVK_OPTIONS_END},
    {OVK_INTEGER("window", 1, INT_MAX, 6, "RDMA writes in flight"), OVK_OPTIONS_END}};

static const ovk_option nic_keys[] = {
    OVK__ENDPOINT_OPTIONS,
    OVK_WORD("agent", 0, "thread that drives the schedules", "none", "thread"), OVK_OPTIONS_END};

/* The keys of the operation. Over verbs also window=, unless the operation has it, and the keys of
 * the NIC and of the agent. */
static ovk_err check_keys(const ovk__operation *o, const ovk__call *call)
{
  enum { NIC_KEYS = sizeof nic_keys / sizeof *nic_keys - 1 };
  ovk_option keys[OVK__MAX_CALL_KEYS + 1 + NIC_KEYS + 1];
  int n = 0;
  for (; o->keys && o->keys->options[n].name; n++) keys[n] = o->keys->options[n];
  if (call->over_verbs && !has_shares(o) && !ovk__has(o, OVK__IN_FRAGMENTS))
    keys[n++] = writes_of[0][0];
  for (int k = 0; call->over_verbs && k < NIC_KEYS; k++) keys[n++] = nic_keys[k];
  keys[n] = (ovk_option)OVK_OPTIONS_END;
  return ovk_spec_check_keys(call->ctx, call->spec, keys);
}

/* Reads the maximum number of RDMA writes in flight. */
static ovk_err read_writes(const ovk__operation *o, ovk__call *call)
{
  long writes = 0;
  if (call->over_verbs && !ovk_spec_has(call->spec, "fragment")) {
    OVK_TRY(ovk_spec_int(call->ctx, call->spec, writes_of[has_shares(o)], "window", &writes));
  }
  call->writes = (int)writes;
  return OVK_OK;
}

/* An agent makes no MPI calls. */
static ovk_err read_agent(const ovk__operation *o, ovk__call *call)
{
  int agent;
  OVK_TRY(ovk_spec_word(call->ctx, call->spec, nic_keys, "agent", &agent));
  call->by_agent = agent != 0;
  const bool combines = call->by_mpi && ovk__has(o, OVK__COMBINES | OVK__SCHEDULED);
  OVK_CHECK(!call->by_agent || !combines || call->mpi_op == MPI_OP_NULL, call->ctx,
            OVK_ERR_UNSUPPORTED, "%s: an agent cannot execute MPI operations", o->name);
  return OVK_OK;
}

static ovk_err check_spec(const ovk__operation *o, ovk__call *call)
{
  OVK_TRY(ovk_spec_parse(call->ctx, call->text, &call->spec));
  OVK_TRY(check_name(o, call));
  OVK_TRY(check_keys(o, call));
  OVK_TRY(read_writes(o, call));
  OVK_TRY(read_agent(o, call));
  return o->keys ? o->keys->read(o->keys->options, call) : OVK_OK;
}

/* The size of an item, from its type if it has one. */
static ovk_err check_items(const ovk__operation *o, ovk__call *call)
{
  if (call->by_mpi) {
    OVK_CHECK(!ovk__has(o, OVK__COMBINES) || call->mpi_op != MPI_OP_NULL, call->ctx, OVK_ERR_ARG,
              "%s: the operation is MPI_OP_NULL", o->name);
    return ovk__mpi_type_check(call->ctx, o->name, call->mpi_type, call->mpi_op,
                               !ovk__has(o, OVK__IN_ORDER), &call->size);
  }
  if (ovk__has(o, OVK__COMBINES)) {
    OVK_CHECK(ovk__combine_of(call->type, call->op), call->ctx, OVK_ERR_ARG,
              "%s: operation %d is not defined for type %d", o->name, (int)call->op,
              (int)call->type);
    call->size = ovk__type_size(call->type);
  }
  OVK_CHECK(call->size >= 1 && call->size <= INT_MAX, call->ctx, OVK_ERR_ARG,
            "%s: items of %zu bytes, allowed are 1 to %d", o->name, call->size, INT_MAX);
  return OVK_OK;
}

/* The maximum number of items for which no address or difference of addresses overflows. */
static int64_t most_items(const ovk__call *call)
{
  return (int64_t)((size_t)PTRDIFF_MAX / call->size);
}

/* Lists the neighbors in the grid of the communicator of the context. */
static ovk_err list_neighbors(const ovk__operation *o, ovk__call *call)
{
  ovk_ctx *ctx = call->ctx;
  int topology, ndims;
  OVK_TRY_MPI(ctx, MPI_Topo_test(ctx->comm, &topology));
  OVK_CHECK(topology == MPI_CART, ctx, OVK_ERR_ARG,
            "%s: the context's communicator has no grid: make one with MPI_Cart_create()", o->name);
  OVK_TRY_MPI(ctx, MPI_Cartdim_get(ctx->comm, &ndims));
  call->nshares = 2 * ndims;
  OVK_NEW_ARRAY(ctx, call->neighbors, call->nshares);
  for (int d = 0, *pair = call->neighbors; d < ndims; d++, pair += 2) {
    OVK_TRY_MPI(ctx, MPI_Cart_shift(ctx->comm, d, 1, &pair[0], &pair[1]));
  }
  return OVK_OK;
}

/* Lists the shares of a side. `verb`: "send" or "receive", for messages. */
static ovk_err list_shares(const ovk__operation *o, const ovk__call *call, const char *verb,
                           ovk__side *side)
{
  ovk_ctx *ctx = call->ctx;
  const char *whom = ovk__has(o, OVK__NEIGHBORS) ? "neighbor" : "rank";
  int64_t end = 0;
  OVK_CHECK(side->counts || !ovk__has(o, OVK__VARIES), ctx, OVK_ERR_ARG,
            "%s: the counts to %s are NULL", o->name, verb);
  OVK_NEW_ARRAY(ctx, side->segments, call->nshares);
  for (int k = 0; k < call->nshares; k++) {
    const int count = side->counts ? side->counts[k] : side->count;
    const int64_t first = side->offsets ? side->offsets[k] : end;
    OVK_CHECK(count >= 0, ctx, OVK_ERR_ARG, "%s: the count to %s for %s %d is %d", o->name, verb,
              whom, k, count);
    OVK_CHECK(first >= 0 && first <= most_items(call) - count, ctx, OVK_ERR_ARG,
              "%s: %d items to %s for %s %d at offset %lld, %zu bytes each: below 0 or too far",
              o->name, count, verb, whom, k, (long long)first, call->size);
    side->segments[k] = (ovk__segment){(size_t)first, (size_t)count};
    end = first + count;
  }
  return OVK_OK;
}

static bool has_items(const ovk__side *side, int nshares)
{
  if (!side->segments) return side->count > 0;
  int k = 0;
  while (k < nshares && !side->segments[k].count) k++;
  return k < nshares;
}

static ovk_err check_side(const ovk__operation *o, const ovk__call *call, const char *verb,
                          ovk__side_kind kind, ovk__side *side)
{
  if (kind == OVK__SHARES) return list_shares(o, call, verb, side);
  OVK_CHECK(side->count >= 0 && side->count <= most_items(call), call->ctx, OVK_ERR_ARG,
            "%s: %d items of %zu bytes to %s", o->name, side->count, call->size, verb);
  return OVK_OK;
}

static ovk_err check_buffer(const ovk__operation *o, const ovk__call *call, const char *verb,
                            const void *buffer, const ovk__side *side)
{
  OVK_CHECK(buffer || !has_items(side, call->nshares), call->ctx, OVK_ERR_ARG,
            "%s: the buffer to %s is NULL", o->name, verb);
  return OVK_OK;
}

ovk_err ovk__call_check(const ovk__operation *operation, ovk__call *call)
{
  const ovk__operation *o = operation;
  ovk_ctx *ctx = call->ctx;
  OVK_TRY(check_spec(o, call));
  OVK_CHECK(call->root >= 0 && call->root < ctx->size, ctx, OVK_ERR_ARG,
            "%s: the root is %d, there are %d ranks", o->name, call->root, ctx->size);
  if (o->in == OVK__UNUSED) return OVK_OK; /* a barrier has no items */
  OVK_TRY(check_items(o, call));
  call->nshares = ctx->size;
  if (ovk__has(o, OVK__NEIGHBORS)) OVK_TRY(list_neighbors(o, call));
  const bool root = ctx->rank == call->root;
  const bool sends = o->out != OVK__UNUSED && (root || !ovk__has(o, OVK__FROM_ROOT));
  const bool receives = root || !ovk__has(o, OVK__TO_ROOT);
  if (sends) OVK_TRY(check_side(o, call, "send", o->out, &call->out));
  if (receives) OVK_TRY(check_side(o, call, "receive", o->in, &call->in));
  if (o->out == OVK__OWN_SHARE) call->out.count = (int)call->in.segments[ctx->rank].count;
  if (o->in == OVK__OWN_SHARE) call->in.count = (int)call->out.segments[ctx->rank].count;
  if (sends) OVK_TRY(check_buffer(o, call, "send", call->send, &call->out));
  if (receives) OVK_TRY(check_buffer(o, call, "receive", call->receive, &call->in));
  if (ovk__has(o, OVK__SCHEDULED))
    OVK_TRY(ovk__own_schedule_check(ctx, call->schedule, call->out.count, call->in.count,
                                    call->mpi_op != MPI_OP_NULL));
  OVK_CHECK(!ovk__has(o, OVK__APART) || !call->send || call->send != call->receive, ctx,
            OVK_ERR_ARG, "%s: the buffers to send and to receive are the same", o->name);
  return OVK_OK;
}
