/* SPDX-License-Identifier: BSD-2-Clause */
/* Executes requests round by round: starts the messages of a round, tests them until they are
 * complete, and combines.
 *
 * Two places for a send copy suffice for the following reason. In a schedule that is a barrier, no
 * rank completes a generation before all ranks have begun it. When this rank begins generation g,
 * it has completed g-1. So all ranks have begun g-1, and have completed g-2. All data sent in g-2
 * has been received, its copy may be overwritten, and waiting for its request does not block. Other
 * schedules have no such guarantee. There a round includes the completion of its MPI sends, and a
 * channel whose readers access its memory is not ready until they report that they have finished
 * g-2. */
#include "comm/engine/engine.h"
#include "comm/engine/request.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

static ovk_err make_channels(ovk__request *request)
{
  for (int k = 0; k < OVK__NCHANNELS; k++) {
    ovk__request_channel *c = &request->channels[request->nchannels];
    c->ops = ovk__channels[k];
    const ovk_err err = c->ops->make(&request->args, &c->state);
    request->nchannels += c->state != NULL;
    OVK_TRY(err);
  }
  return OVK_OK;
}

void ovk__request_move(ovk__request *request, const void *input, void *output)
{
  request->buffers.at[OVK_INPUT] = (char *)input; /* only read from */
  request->buffers.at[OVK_OUTPUT] = output;
}

ovk_err ovk__request_make(ovk__engine *engine, const ovk__op_desc *desc, int64_t number,
                          ovk__request **out)
{
  ovk_ctx *ctx = engine->ctx;
  const ovk__schedule *s = desc->schedule;
  OVK_NEW_AT(ctx, *out, ovk__request, request);
  request->engine = engine;
  request->schedule = s;
  request->combine = desc->combine;
  request->type = desc->type;
  request->op = desc->op;
  request->round = s->nrounds;
  request->args = (ovk__channel_args){.transport = &engine->transport,
                                      .schedule = s,
                                      .buffers = &request->buffers,
                                      .tag = ovk__tag_use(&engine->tags, &request->tag, number),
                                      .window = desc->window,
                                      .lent = desc->lent};
  request->buffers.element = desc->element;
  ovk__request_move(request, desc->input, desc->output);
  request->buffers.at[OVK_WORK] = ovk__array(s->work, desc->element);
  OVK_CHECK(request->buffers.at[OVK_WORK], ctx, OVK_ERR_MEMORY,
            "no memory for a work buffer of %zu elements of %zu bytes", s->work, desc->element);
  return make_channels(request);
}

void *ovk__request_state(const ovk__request *request, const ovk__channel_ops *ops)
{
  for (int k = 0; k < request->nchannels; k++) {
    if (request->channels[k].ops == ops) return request->channels[k].state;
  }
  return NULL;
}

/* The only channel of a request that works without MPI; NULL: it has several, or none. */
static const ovk__request_channel *only_channel(const ovk__request *request)
{
  return request->nchannels == 1 ? &request->channels[0] : NULL;
}

ovk__handshakes *ovk__request_handshakes(ovk__request *request)
{
  const ovk__request_channel *c = only_channel(request);
  return c && c->ops->handshakes ? c->ops->handshakes(c->state) : NULL;
}

int ovk__request_tag(const ovk__request *request)
{
  return request->args.tag;
}

ovk_err ovk__request_connect(ovk__request *request)
{
  const ovk__request_channel *c = only_channel(request);
  return c->ops->connect_local(c->state);
}

bool ovk__request_is_due(const ovk__request *request)
{
  const ovk__request_channel *c = only_channel(request);
  return c->ops->has_come(c->state, request->generation + 1);
}

bool ovk__request_destroy(ovk__request **request)
{
  ovk__request *r = *request;
  if (!r) return true;
  const bool aborted = r->failed || r->round < r->schedule->nrounds;
  bool over = true;
  ovk__tag_free(&r->engine->tags, &r->tag);
  for (int k = 0; k < r->nchannels; k++) {
    const ovk__request_channel *c = &r->channels[k];
    over = c->ops->free(c->state, r->generation, aborted) && over;
  }
  if (over) free(r->buffers.at[OVK_WORK]);
  free(r);
  *request = NULL;
  return over;
}

/* Whether the first round may start: it overwrites no data that another rank still reads. */
static bool is_ready(const ovk__request *request)
{
  for (int k = 0; request->round == 0 && k < request->nchannels; k++) {
    const ovk__request_channel *c = &request->channels[k];
    if (c->ops->ready && !c->ops->ready(c->state, request->generation)) return false;
  }
  return true;
}

static int start_round(ovk__request *request)
{
  int err = MPI_SUCCESS;
  request->started = true;
  for (int k = 0; k < request->nchannels && !err; k++) {
    err = request->channels[k].ops->start(request->channels[k].state, request->round,
                                          request->generation);
  }
  return err;
}

static int test_round(const ovk__request *request, bool *complete)
{
  int err = MPI_SUCCESS;
  *complete = true;
  for (int k = request->nchannels; k-- > 0 && !err && *complete;) {
    err = request->channels[k].ops->test(request->channels[k].state, request->round,
                                         request->generation, complete);
  }
  return err;
}

/* Executes the combinations and copies of a round. */
static int work_locally(const ovk__request *request, const ovk__round *round)
{
  int err = MPI_SUCCESS;
  const ovk__action *a = request->schedule->actions + round->first + round->nmessages;
  for (const ovk__action *end = a + round->nlocal; a < end && !err; a++) {
    const void *from = ovk__buffers_at(&request->buffers, a->from);
    void *to = ovk__buffers_at(&request->buffers, a->to);
    if (a->kind == OVK__COPY) {
      if (to != from) memmove(to, from, a->count * request->buffers.element);
    } else if (request->combine) {
      request->combine(to, from, a->count);
    } else { /* counts of messages, which fit an int */
      err = MPI_Reduce_local(from, to, (int)a->count, request->type, request->op);
    }
  }
  return err;
}

static int finish_round(ovk__request *request)
{
  int err = work_locally(request, &request->schedule->rounds[request->round]);
  request->round++;
  request->started = false;
  for (int k = 0; request->round == request->schedule->nrounds && k < request->nchannels && !err;
       k++) {
    const ovk__request_channel *c = &request->channels[k];
    if (c->ops->finish) err = c->ops->finish(c->state, request->generation);
  }
  return err;
}

/* Progresses as far as possible without waiting. */
static int request_progress(ovk__request *request)
{
  int err = MPI_SUCCESS;
  while (!err && request->round < request->schedule->nrounds) {
    bool complete = false;
    if (!request->started && is_ready(request)) err = start_round(request);
    if (!err && request->started) err = test_round(request, &complete);
    if (err || !complete) break;
    err = finish_round(request);
  }
  return err;
}

int ovk__request_start(void *request)
{
  ovk__request *r = request;
  bool complete; /* ignored: the next advance returns it again */
  r->generation++;
  r->round = 0;
  r->timer = (ovk__timer){0};
  return ovk__request_advance(
      request, &complete); /* some MPI implementations send nothing before the first test */
}

int ovk__request_advance(void *request, bool *complete)
{
  ovk__request *r = request;
  ovk__endpoint *endpoint = r->engine->transport.endpoint;
  if (!r->failed) r->failed = request_progress(r);
  const bool waits = !r->failed && r->round < r->schedule->nrounds;
  if (waits && endpoint && !ovk__endpoint_check_timeout(endpoint, &r->timer)) {
    r->failed = OVK__NETWORK_FAILED; /* the timeout has passed: a rank may have failed */
  }
  *complete = !r->failed && !waits;
  return r->failed;
}
