/* SPDX-License-Identifier: BSD-2-Clause */
/* mode=write with agent=HOST:PORT: the same schedules, executed by an agent in another process,
 * which may be on another machine. For the rank a reduction is one round: it sends its part to the
 * agent and receives the totals, as a request over its own NIC. The agent has no MPI: its rank
 * exchanges the handshakes of its request with the other ranks. */
#include "backends/verbs/verbs.h"
#include "comm/agent/remote.h"
#include "comm/engine/engine.h"
#include "comm/engine/schedule/builder.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

/* A reduction. */
typedef struct remote_sum {
  ovk__verbs *verbs;
  ovk__schedule schedule; /* the rank's one round */
  ovk__request *request;
  uint64_t id;
  bool registered; /* the agent has its schedule */
} remote_sum;

static ovk_err write_remote_open(ovk__verbs *verbs)
{
  ovk_ctx *ctx = verbs->ctx;
  OVK_TRY(ovk__schedule_cache_locate(ctx, verbs->comm, &verbs->schedules));
  return ovk__remote_open(ctx, ovk_spec_string(verbs->spec, "agent", ""), ctx->env.agent_secret,
                          ovk__endpoint_timeout(verbs->endpoint), &verbs->remote);
}

static void write_remote_close(ovk__verbs *verbs)
{
  ovk__remote_close(&verbs->remote);
}

static ovk_err build_round(ovk__verbs *verbs, size_t count, ovk__schedule *out)
{
  const ovk_place all = {OVK_OUTPUT, 0};
  const int agent = ovk__endpoint_agent_peer(verbs->endpoint);
  ovk__builder b = ovk__build_begin(verbs->ctx, (ovk__group){0}, out);
  b.channel = OVK__RDMA;
  ovk__build_round(&b);
  ovk__build_send(&b, agent, all, count);
  ovk__build_receive(&b, agent, all, count);
  out->barrier = true; /* the totals come when all ranks have begun */
  return ovk__build_end(&b);
}

/* An agent with an invalid answer has failed, and so have the reductions of its rank. */
static ovk_err fail_endpoint(const ovk__verbs *v, ovk_err err)
{
  ovk__endpoint_fail(v->endpoint, "%s", ovk_ctx_error(v->ctx));
  return err;
}

/* Makes the requests of the rank and of its agent. */
static ovk_err remote_sum_make(remote_sum *s, const ovk_sum *sum, int64_t number,
                               ovk__handshakes *handshakes, ovk__handshake **own)
{
  ovk__verbs *v = s->verbs;
  const size_t count = (size_t)sum->count;
  const ovk__schedule *schedule = NULL;
  OVK_TRY(ovk__schedule_cache_find(v->ctx, &v->schedules, sum->count, &schedule));
  OVK_TRY(build_round(v, count, &s->schedule));
  const ovk__op_desc desc = {
      .schedule = &s->schedule, .output = sum->values, .element = sizeof(double)};
  OVK_TRY(ovk__request_make(v->engine, &desc, number, &s->request));
  s->id = (uint64_t)number;
  const ovk_err err = ovk__remote_register(v->remote, s->id, schedule, count, handshakes, own);
  if (err) return err == OVK_ERR_UNSUPPORTED ? err : fail_endpoint(v, err);
  s->registered = true;
  const ovk__handshake *mine = &ovk__request_handshakes(s->request)->list[0];
  OVK_CHECK(mine->nin == (*own)->nout && mine->nout == (*own)->nin, v->ctx, OVK_ERR_NETWORK,
            "a handshake of %d words from the agent for one of %d", (*own)->nout, mine->nin);
  memcpy((*own)->in, mine->out, (size_t)mine->nout * sizeof *mine->out);
  memcpy(mine->in, (*own)->out, (size_t)mine->nin * sizeof *mine->in);
  return OVK_OK;
}

/* The rank connects first: its agent checks on it from then on. */
static ovk_err remote_sum_connect(const remote_sum *s, const ovk__handshakes *handshakes)
{
  const ovk__verbs *v = s->verbs;
  OVK_TRY(ovk__handshakes_exchange(v->ctx, handshakes, v->comm, ovk__request_tag(s->request)));
  OVK_TRY(ovk__request_connect(s->request));
  const ovk_err err = ovk__remote_connect(v->remote, s->id, handshakes);
  return err ? fail_endpoint(v, err) : OVK_OK; /* the agent's endpoint has failed, too */
}

static bool write_remote_release(void *sum)
{
  remote_sum *s = sum;
  if (!s) return true;
  (void)ovk__request_destroy(&s->request); /* MPI does not access it */
  if (s->registered) ovk__remote_unregister(s->verbs->remote, s->id);
  ovk__schedule_free(&s->schedule);
  free(s);
  return true;
}

static ovk_err remote_sum_make_and_connect(remote_sum *s, const ovk_sum *sum, int64_t number,
                                           bool failed)
{
  ovk__handshakes handshakes = {0};
  ovk__handshake *own = NULL;
  ovk_err err = failed ? OVK_OK : remote_sum_make(s, sum, number, &handshakes, &own);
  int some = failed || err;
  const int code = MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, s->verbs->comm);
  if (!err) err = ovk__engine_fail(s->verbs->engine, code, __FILE__, __LINE__, "MPI_Allreduce");
  if (!err && !some) err = remote_sum_connect(s, &handshakes);
  ovk__handshakes_free(&handshakes);
  return err;
}

static ovk_err remote_sum_new(ovk__verbs *verbs, remote_sum **out)
{
  OVK_NEW_AT(verbs->ctx, *out, remote_sum, reduction);
  reduction->verbs = verbs;
  return OVK_OK;
}

static ovk_err write_remote_prepare(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out)
{
  int64_t number;
  remote_sum without = {.verbs = verbs}, *s = NULL;
  ovk_err err = failed ? OVK_OK : remote_sum_new(verbs, &s);
  *out = s;
  OVK_TRY(ovk__tags_deal(verbs->ctx, verbs->comm, &verbs->engine->tags, &number));
  const ovk_err made = remote_sum_make_and_connect(s ? s : &without, sum, number, !s);
  return err ? err : made;
}

static int write_remote_start(void *sum)
{
  const remote_sum *s = sum;
  return ovk__request_start(s->request);
}

static int write_remote_advance(void *sum, bool *complete)
{
  const remote_sum *s = sum;
  return ovk__request_advance(s->request, complete);
}

const ovk__verbs_mode ovk__mode_write_remote = {.name = "write",
                                                .read = ovk__verbs_read_schedules_of_agent,
                                                .open = write_remote_open,
                                                .close = write_remote_close,
                                                .prepare = write_remote_prepare,
                                                .release = write_remote_release,
                                                .start = write_remote_start,
                                                .advance = write_remote_advance};
