/* SPDX-License-Identifier: BSD-2-Clause */
/* Executes runs round by round: start the round's messages, test them until complete, combine.
 *
 * Why two places for a send copy suffice: in a schedule that is a barrier, no rank completes a
 * generation before all ranks have begun it. When this rank begins generation g, it has completed
 * g-1, so all ranks have begun g-1 and therefore completed g-2. Everything sent in g-2 has been
 * received, its copy may be overwritten, and waiting for its request does not block. Other
 * schedules have no such guarantee. There the completion of MPI sends is part of their round, and a
 * channel whose readers access its memory is not ready until they report that they have finished
 * g-2. */
#include "comm/engine/engine.h"
#include "comm/engine/run.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

static ovk_err make_channels(ovk__run *run)
{
  for (int k = 0; k < OVK__NCHANNELS; k++) {
    ovk__run_channel *c = &run->channels[run->nchannels];
    c->ops = ovk__channels[k];
    const ovk_err err = c->ops->make(&run->traffic, &c->state);
    run->nchannels += c->state != NULL;
    OVK_TRY(err);
  }
  return OVK_OK;
}

void ovk__run_move(ovk__run *run, const void *input, void *output)
{
  run->buffers.at[OVK_INPUT] = (char *)input; /* only read from */
  run->buffers.at[OVK_OUTPUT] = output;
}

ovk_err ovk__run_make(ovk__engine *engine, const ovk__task *task, int64_t number, ovk__run **out)
{
  ovk_ctx *ctx = engine->ctx;
  const ovk__schedule *s = task->schedule;
  ovk__run *run = calloc(1, sizeof *run);
  OVK_CHECK(run, ctx, OVK_ERR_MEMORY, "no memory for a collective operation");
  *out = run;
  run->engine = engine;
  run->schedule = s;
  run->combine = task->combine;
  run->type = task->type;
  run->op = task->op;
  run->round = s->nrounds;
  run->traffic = (ovk__traffic){.fabric = &engine->fabric,
                                .schedule = s,
                                .buffers = &run->buffers,
                                .tag = ovk__tag_use(&engine->tags, &run->tag, number),
                                .window = task->window};
  run->buffers.element = task->element;
  ovk__run_move(run, task->input, task->output);
  run->buffers.at[OVK_WORK] = ovk__array(s->work, task->element);
  OVK_CHECK(run->buffers.at[OVK_WORK], ctx, OVK_ERR_MEMORY,
            "no memory to work with: %zu elements of %zu bytes", s->work, task->element);
  return make_channels(run);
}

void *ovk__run_state(const ovk__run *run, const ovk__channel_ops *ops)
{
  for (int k = 0; k < run->nchannels; k++) {
    if (run->channels[k].ops == ops) return run->channels[k].state;
  }
  return NULL;
}

/* The only channel of a run that works without MPI; NULL: it has several, or none. */
static const ovk__run_channel *only_channel(const ovk__run *run)
{
  return run->nchannels == 1 ? &run->channels[0] : NULL;
}

ovk__handshakes *ovk__run_handshakes(ovk__run *run)
{
  const ovk__run_channel *c = only_channel(run);
  return c && c->ops->handshakes ? c->ops->handshakes(c->state) : NULL;
}

int ovk__run_tag(const ovk__run *run)
{
  return run->traffic.tag;
}

ovk_err ovk__run_join(ovk__run *run)
{
  const ovk__run_channel *c = only_channel(run);
  return c->ops->join(c->state);
}

bool ovk__run_is_due(const ovk__run *run)
{
  const ovk__run_channel *c = only_channel(run);
  return c->ops->has_come(c->state, run->generation + 1);
}

bool ovk__run_destroy(ovk__run **run)
{
  ovk__run *r = *run;
  if (!r) return true;
  const bool aborted = r->failed || r->round < r->schedule->nrounds;
  bool over = true;
  ovk__tag_free(&r->engine->tags, &r->tag);
  for (int k = 0; k < r->nchannels; k++) {
    const ovk__run_channel *c = &r->channels[k];
    over = c->ops->free(c->state, r->generation, aborted) && over;
  }
  if (over) free(r->buffers.at[OVK_WORK]);
  free(r);
  *run = NULL;
  return over;
}

/* True when starting the first round overwrites no data that another rank still reads. */
static bool is_ready(const ovk__run *run)
{
  for (int k = 0; run->round == 0 && k < run->nchannels; k++) {
    const ovk__run_channel *c = &run->channels[k];
    if (c->ops->ready && !c->ops->ready(c->state, run->generation)) return false;
  }
  return true;
}

static int start_round(ovk__run *run)
{
  int err = MPI_SUCCESS;
  run->started = true;
  for (int k = 0; k < run->nchannels && !err; k++) {
    err = run->channels[k].ops->start(run->channels[k].state, run->round, run->generation);
  }
  return err;
}

static int test_round(const ovk__run *run, bool *complete)
{
  int err = MPI_SUCCESS;
  *complete = true;
  for (int k = run->nchannels; k-- > 0 && !err && *complete;) {
    err = run->channels[k].ops->test(run->channels[k].state, run->round, run->generation, complete);
  }
  return err;
}

/* The combinations and copies of a round. */
static int work_locally(const ovk__run *run, const ovk__round *round)
{
  int err = MPI_SUCCESS;
  const ovk__action *a = run->schedule->actions + round->first + round->nmessages;
  for (const ovk__action *end = a + round->nlocal; a < end && !err; a++) {
    const void *from = ovk__buffers_at(&run->buffers, a->from);
    void *to = ovk__buffers_at(&run->buffers, a->to);
    if (a->kind == OVK__COPY) {
      if (to != from) memmove(to, from, a->count * run->buffers.element);
    } else if (run->combine) {
      run->combine(to, from, a->count);
    } else { /* counts of messages, which fit an int */
      err = MPI_Reduce_local(from, to, (int)a->count, run->type, run->op);
    }
  }
  return err;
}

static int finish_round(ovk__run *run)
{
  int err = work_locally(run, &run->schedule->rounds[run->round]);
  run->round++;
  run->started = false;
  for (int k = 0; run->round == run->schedule->nrounds && k < run->nchannels && !err; k++) {
    const ovk__run_channel *c = &run->channels[k];
    if (c->ops->finish) err = c->ops->finish(c->state, run->generation);
  }
  return err;
}

/* Makes all progress that is possible without waiting. */
static int move_on(ovk__run *run)
{
  int err = MPI_SUCCESS;
  while (!err && run->round < run->schedule->nrounds) {
    bool complete = false;
    if (!run->started && is_ready(run)) err = start_round(run);
    if (!err && run->started) err = test_round(run, &complete);
    if (err || !complete) break;
    err = finish_round(run);
  }
  return err;
}

int ovk__run_start(void *run)
{
  ovk__run *r = run;
  bool complete; /* not needed: the next advance returns it again */
  r->generation++;
  r->round = 0;
  r->timer = (ovk__timer){0};
  return ovk__run_advance(
      run, &complete); /* some MPI implementations send nothing before the first test */
}

int ovk__run_advance(void *run, bool *complete)
{
  ovk__run *r = run;
  ovk__endpoint *endpoint = r->engine->fabric.endpoint;
  if (!r->failed) r->failed = move_on(r);
  const bool waits = !r->failed && r->round < r->schedule->nrounds;
  if (waits && endpoint && !ovk__endpoint_check_timeout(endpoint, &r->timer)) {
    r->failed = OVK__NETWORK_FAILED; /* the timeout is over: a rank may have failed */
  }
  *complete = !r->failed && !waits;
  return r->failed;
}
