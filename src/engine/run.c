/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs go from round to round: start its messages, see them through, combine.
 *
 * Why two places for what is sent are enough: in a schedule that is a barrier nobody completes a
 * generation before all have begun it. So when this rank begins generation g, having completed
 * g - 1, all have begun g - 1 and so completed g - 2: whatever was sent then has been received, its
 * copy may be written again, and to wait for its request does not block. Other schedules give no
 * such promise. There sends over p2p are part of their round, and one over shm or verbs waits until
 * its readers say that they have finished g - 2. */
#include "core/mem.h"
#include "engine/p2p.h"
#include "engine/verbs/port.h"
#include "engine/wires.h"

#include <stdlib.h>
#include <string.h>

struct ovk__run {
  ovk__engine *engine;
  ovk__tag tag;
  const ovk__schedule *schedule;
  ovk__combine *combine;
  ovk__buffers buffers;
  ovk__p2p p2p;
  ovk__wires wires;
  ovk__port port;
  bool over_p2p, over_shm, over_verbs; /* whether it has messages there */
  uint64_t generation;                 /* counts from 1 */
  int round;                           /* the one that is under way */
  bool started;                        /* its messages are */
  ovk__patience patience;              /* of an engine with an endpoint */
  int failed;                          /* MPI's code, or OVK__NETWORK_FAILED */
};

static ovk_err make(ovk__engine *engine, const ovk__task *task, int64_t number, ovk__run **out)
{
  ovk_ctx *ctx = engine->ctx;
  const ovk__schedule *s = task->schedule;
  ovk__run *run = calloc(1, sizeof *run);
  OVK_CHECK(run, ctx, OVK_ERR_MEMORY, "no memory for a collective operation");
  *out = run;
  run->engine = engine;
  const int tag = ovk__tag_use(&engine->tags, &run->tag, number);
  run->schedule = s;
  run->combine = task->combine;
  run->round = s->nrounds;
  run->buffers.element = task->element;
  run->buffers.at[OVK__INPUT] = (char *)task->input; /* only read */
  run->buffers.at[OVK__OUTPUT] = task->output;
  run->buffers.at[OVK__WORK] = ovk__array(s->work, task->element);
  run->p2p.item = MPI_DATATYPE_NULL;
  OVK_CHECK(run->buffers.at[OVK__WORK], ctx, OVK_ERR_MEMORY,
            "no memory to work with: %zu elements of %zu bytes", s->work, task->element);
  OVK_TRY(ovk__p2p_make(ctx, engine->comm, tag, task, &run->buffers, &run->p2p));
  OVK_TRY(ovk__wires_make(engine, s, &run->buffers, &run->wires));
  OVK_TRY(ovk__port_make(ctx, engine->endpoint, task->window, s, &run->buffers, &run->port));
  run->over_p2p = run->p2p.nmessages > 0;
  run->over_shm = ovk__wires_part(&run->wires) > 0;
  run->over_verbs = run->port.endpoint != NULL;
  return OVK_OK;
}

/* Ranks anywhere are told of, so all must have come as far. */
static ovk_err connect_port(const ovk__engine *engine, bool failed, ovk__run *run)
{
  ovk_ctx *ctx = engine->ctx;
  int some = failed;
  OVK_TRY_MPI(ctx, MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, engine->comm));
  return some ? OVK_OK : ovk__port_connect(ctx, engine->comm, run->p2p.tag, &run->port);
}

ovk_err ovk__run_create(ovk__engine *engine, const ovk__task *task, bool failed, ovk__run **out)
{
  *out = NULL;
  ovk__slot slot;
  int64_t number;
  OVK_TRY(ovk__tags_deal(engine->ctx, engine->comm, &engine->tags, &number));
  ovk_err err = failed ? OVK_OK : make(engine, task, number, out);
  failed = failed || err;
  const size_t part = failed ? 0 : ovk__wires_part(&(*out)->wires);
  const ovk_err taken = ovk__slot_take(&engine->arenas, part, &failed, &slot);
  if (!err) err = taken;
  if (!err && !failed && slot.arena) {
    err = ovk__wires_connect(engine, task->schedule, &slot, (*out)->p2p.tag, &(*out)->wires);
  }
  if (engine->endpoint) {
    const ovk_err connected = connect_port(engine, failed || err, *out);
    if (!err) err = connected;
  }
  if (err || failed) ovk__run_destroy(out);
  return err;
}

void ovk__run_destroy(ovk__run **run)
{
  ovk__run *r = *run;
  if (!r) return;
  const bool broken = r->failed || r->round < r->schedule->nrounds;
  ovk__tag_free(&r->engine->tags, &r->tag);
  ovk__port_free(&r->port, r->engine->ctx, r->generation, broken);
  ovk__p2p_free(&r->p2p, broken);
  ovk__wires_free(&r->wires);
  free(r->buffers.at[OVK__WORK]);
  free(r);
  *run = NULL;
}

/* True when the messages of the first round overwrite nothing that is still read. */
static bool is_ready(ovk__run *run)
{
  return run->round > 0 || ((!run->over_shm || ovk__wires_ready(&run->wires, run->generation)) &&
                            (!run->over_verbs || ovk__port_ready(&run->port, run->generation)));
}

/* Starts the messages of the round. */
static int start_round(ovk__run *run)
{
  run->started = true;
  if (run->over_shm) ovk__wires_start(&run->wires, run->round, run->generation);
  if (run->over_verbs && !ovk__port_start(&run->port, run->round, run->generation)) {
    return OVK__NETWORK_FAILED;
  }
  return run->over_p2p ? ovk__p2p_start(&run->p2p, run->round, run->generation) : MPI_SUCCESS;
}

static int test_round(ovk__run *run, bool *through)
{
  int err = MPI_SUCCESS;
  *through = true;
  if (run->over_p2p) err = ovk__p2p_test(&run->p2p, run->round, run->generation, through);
  if (run->over_verbs && *through &&
      !ovk__port_test(&run->port, run->round, run->generation, through)) {
    err = OVK__NETWORK_FAILED;
  }
  if (run->over_shm && *through) {
    *through = ovk__wires_test(&run->wires, run->round, run->generation);
  }
  return err;
}

/* The combinations and copies of a round. */
static void work_locally(const ovk__run *run, const ovk__round *round)
{
  const ovk__action *a = run->schedule->actions + round->first + round->nmessages;
  for (const ovk__action *end = a + round->nlocal; a < end; a++) {
    const void *from = ovk__buffers_at(&run->buffers, a->from);
    void *to = ovk__buffers_at(&run->buffers, a->to);
    if (a->kind == OVK__COPY) {
      memmove(to, from, a->count * run->buffers.element);
    } else {
      run->combine(to, from, a->count);
    }
  }
}

static int finish_round(ovk__run *run)
{
  work_locally(run, &run->schedule->rounds[run->round]);
  run->round++;
  run->started = false;
  if (run->round < run->schedule->nrounds) return MPI_SUCCESS;
  if (run->over_shm) ovk__wires_finish(&run->wires, run->generation);
  if (run->over_verbs && !ovk__port_finish(&run->port, run->generation)) return OVK__NETWORK_FAILED;
  return MPI_SUCCESS;
}

/* Moves on as far as it goes without waiting. */
static int move_on(ovk__run *run)
{
  int err = MPI_SUCCESS;
  while (!err && run->round < run->schedule->nrounds) {
    bool through = false;
    if (!run->started && is_ready(run)) err = start_round(run);
    if (!err && run->started) err = test_round(run, &through);
    if (err || !through) break;
    err = finish_round(run);
  }
  return err;
}

int ovk__run_start(ovk__run *run)
{
  bool complete; /* advance says it again */
  run->generation++;
  run->round = 0;
  run->patience = (ovk__patience){0};
  return ovk__run_advance(run, &complete); /* some MPIs send nothing before the first test */
}

int ovk__run_advance(void *run, bool *complete)
{
  ovk__run *r = run;
  ovk__endpoint *endpoint = r->engine->endpoint;
  if (!r->failed) r->failed = move_on(r);
  const bool waits = !r->failed && r->round < r->schedule->nrounds;
  if (waits && endpoint && !ovk__endpoint_watch(endpoint, &r->patience)) {
    r->failed = OVK__NETWORK_FAILED; /* it may wait for somebody who has failed */
  }
  *complete = !r->failed && !waits;
  return r->failed;
}
