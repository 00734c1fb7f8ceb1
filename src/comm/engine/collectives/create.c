/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates collective operations: checks the arguments, compares them with those of other ranks,
 * builds a schedule and creates requests. */
#include "comm/engine/collectives/create.h"
#include "comm/engine/collectives/collective.h"
#include "comm/engine/collectives/shared_engine.h"
#include "comm/engine/engine.h"
#include "comm/engine/topology/topology.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>

static ovk_err check(const ovk__operation *o, ovk__call *call, ovk_collective **out)
{
  OVK_CHECK(out, call->ctx, OVK_ERR_ARG, "%s: out is NULL", o->name);
  return ovk__call_check(o, call);
}

static ovk_err make_empty(ovk_ctx *ctx, ovk_collective **out)
{
  OVK_NEW_AT(ctx, *out, ovk_collective, collective);
  collective->ctx = ctx;
  collective->held = ovk__ctx_hold(ctx);
  return OVK_OK;
}

static void send_over_verbs(ovk__schedule *schedule)
{
  for (int k = 0; k < schedule->nactions; k++) schedule->actions[k].channel = OVK__RDMA;
}

/* Messages over other channels would not end the sleep of an agent. */
static ovk_err check_channels(const ovk__call *call, const ovk__schedule *s)
{
  for (int k = 0; call->by_agent && k < s->nactions; k++) {
    const ovk__action *a = &s->actions[k];
    OVK_CHECK(a->channel == OVK__RDMA || (a->kind != OVK__SEND && a->kind != OVK__RECEIVE),
              call->ctx, OVK_ERR_UNSUPPORTED,
              "channel=%s: an agent needs channel=%s at every level",
              ovk__channel_names[a->channel], ovk__channel_names[OVK__RDMA]);
  }
  return OVK_OK;
}

/* Builds the schedule of a vector that is not cut, or of a fragment. */
static ovk_err build(const ovk__operation *o, ovk__call *call, int fragment, ovk__schedule *out)
{
  call->fragment = fragment;
  OVK_TRY(o->build(call, out));
  if (call->over_verbs && !ovk__has(o, OVK__HAS_LEVELS)) send_over_verbs(out);
  return check_channels(call, out);
}

/* Collective over the communicator of the engine; errors are not agreed, but no rank hangs. */
static ovk_err build_all(const ovk__operation *o, ovk__call *call, MPI_Comm comm, ovk__cut cut,
                         ovk_collective *c)
{
  ovk_err err = OVK_OK;
  if (ovk__has(o, OVK__HAS_LEVELS))
    err = ovk__topology_hierarchy(call->ctx, comm, &call->algorithms, &call->hierarchy);
  if (!err) err = build(o, call, cut.fragment, &c->schedule);
  if (!err && cut.last < cut.fragment) err = build(o, call, cut.last, &c->last);
  ovk__hierarchy_free(&call->hierarchy);
  return err;
}

/* The bytes of a buffer of shares from its start on. */
static size_t extent(const ovk__call *call, const ovk__side *side)
{
  size_t end = 0;
  for (int k = 0; k < call->nshares; k++) {
    const ovk__segment s = side->segments[k];
    if (s.count && s.first + s.count > end) end = s.first + s.count;
  }
  return end * call->size;
}

/* Lends the buffers of an exchange with long shares to the NIC of the agent, if all ranks can. Each
 * rank then reads its shares from the others without a copy. Only agents do so: without one a rank
 * would read in its polls and its wait, and nothing would move before. Collective; errors are not
 * agreed. */
static ovk_err lend_buffers(const ovk__operation *o, const ovk__call *call, bool failed,
                            MPI_Comm comm, ovk_collective *c, bool *lent)
{
  *lent = false;
  if (!c->endpoint || o->out != OVK__SHARES || o->in != OVK__SHARES) return OVK_OK;
  int some[2] = {0, failed}; /* long shares, a rank that cannot */
  if (!failed) {
    const size_t out = extent(call, &call->out), in = extent(call, &call->in);
    const size_t input = out > OVK__COPIED_MOST ? out : 0, output = in > OVK__COPIED_MOST ? in : 0;
    some[0] = input || output;
    some[1] = ovk__endpoint_lend(c->endpoint, call->send, input, call->receive, output, &c->lent) !=
              OVK_OK;
  }
  OVK_TRY_MPI(call->ctx, MPI_Allreduce(MPI_IN_PLACE, some, 2, MPI_INT, MPI_MAX, comm));
  *lent = some[0] && !some[1];
  if (!*lent) ovk__endpoint_return_lent(c->endpoint, &c->lent);
  return OVK_OK;
}

/* Collective; errors are not agreed. */
static ovk_err collective_fill(const ovk__operation *o, ovk__call *call,
                               const ovk__shared_engine *shared, ovk_collective *c)
{
  ovk__engine *engine = shared->engine;
  const ovk__side *side = o->out == OVK__UNUSED ? &call->in : &call->out;
  const ovk__cut cut = ovk__cut_up(side->count, call->size, call->fragments);
  ovk_err built = build_all(o, call, shared->comm, cut, c);
  bool lent;
  ovk__op_desc desc = {.schedule = &c->schedule,
                       .input = call->send,
                       .output = call->receive,
                       .element = call->size,
                       .combine = call->by_mpi ? NULL : ovk__combine_of(call->type, call->op),
                       .type = call->mpi_type,
                       .op = call->mpi_op,
                       .window = call->writes};
  c->endpoint = shared->agent ? shared->endpoint : NULL;
  /* The agent stops meanwhile, as in reductions. */
  if (c->endpoint) ovk__endpoint_enter(c->endpoint);
  const ovk_err asked = lend_buffers(o, call, built != OVK_OK, shared->comm, c, &lent);
  if (!built) built = asked;
  if (lent) desc.lent = &c->lent;
  const ovk_err made =
      ovk__pipeline_make(engine, &desc, &c->last, cut, built != OVK_OK, &c->pipeline);
  if (shared->agent)
    ovk__submission_add(&c->submission, shared->agent, ovk__pipeline_start, ovk__pipeline_advance,
                        &c->pipeline, false);
  if (c->endpoint) ovk__endpoint_leave(c->endpoint);
  c->engine = engine;
  c->spins = engine->spins;
  c->job = shared->agent ? (ovk__job){.advance = ovk__collective_look, .self = c}
                         : (ovk__job){.advance = ovk__pipeline_advance, .self = &c->pipeline};
  if (ovk__has(o, OVK__IN_PLACE) && call->send != call->receive) {
    c->from = call->send;
    c->to = call->receive;
    c->bytes = (size_t)call->out.count * call->size;
  }
  return built ? built : made;
}

static ovk_err collective_make(const ovk__operation *o, ovk__call *call, ovk_collective **out)
{
  ovk__shared_engine *shared;
  OVK_TRY(ovk__shared_engine_open(call->ctx, call->spec, &shared));
  ovk_err err = ovk__agree(call->ctx, make_empty(call->ctx, out));
  if (!err) err = ovk__agree(call->ctx, collective_fill(o, call, shared, *out));
  if (err) ovk_collective_destroy(out);
  return err;
}

ovk_err ovk__collective_create(const ovk__operation *operation, ovk__call call,
                               ovk_collective **out)
{
  if (!call.ctx) return OVK_ERR_ARG;
  if (out) *out = NULL;
  if (!call.text) call.text = "nbc";
  ovk_err err = ovk__agree(call.ctx, check(operation, &call, out));
  if (!err) err = ovk__call_compare(operation, &call);
  if (!err) err = collective_make(operation, &call, out);
  free(call.out.segments);
  free(call.in.segments);
  free(call.neighbors);
  ovk_spec_destroy(&call.spec);
  return err;
}
