/* SPDX-License-Identifier: BSD-2-Clause */
/* Begins, tests, waits for and destroys collective operations. */
#include "comm/engine/collectives/collective.h"
#include "core/context/ctx_impl.h"

#include <stdlib.h>
#include <string.h>

/* Records the error message for the code of the pipeline. */
static ovk_err report(const ovk_collective *c)
{
  return ovk__engine_fail(c->engine, c->code, __FILE__, __LINE__, "a collective operation");
}

/* An agent detects a failure, and its rank notifies the peers. */
int ovk__collective_look(void *self, bool *complete)
{
  ovk_collective *c = self;
  *complete = ovk__submission_is_complete(&c->submission);
  if (*complete || !ovk__endpoint_failed(c->endpoint)) return MPI_SUCCESS;
  ovk__endpoint_hang_up(c->endpoint);
  return OVK__NETWORK_FAILED;
}

static int collective_start(ovk_collective *c)
{
  if (!c->endpoint) return ovk__pipeline_start(&c->pipeline);
  if (ovk__endpoint_failed(c->endpoint)) return OVK__NETWORK_FAILED;
  ovk__submission_begin(&c->submission);
  return MPI_SUCCESS;
}

ovk_err ovk_collective_begin(ovk_collective *collective)
{
  ovk_collective *c = collective;
  if (!c) return OVK_ERR_ARG;
  OVK_CHECK(c->state == OVK__IDLE, c->ctx, OVK_ERR_STATE, "begin: this operation %s",
            c->state == OVK__RUNNING ? "is already running"
                                     : "has failed and can only be destroyed");
  if (c->bytes) memmove(c->to, c->from, c->bytes);
  c->over = false;
  c->code = collective_start(c);
  c->state = c->code ? OVK__FAILED : OVK__RUNNING;
  if (!c->code) ovk__job_enter(c->ctx, &c->job);
  return report(c);
}

/* Advances the operation, unless it is known to be complete. */
static void advance(ovk_collective *c)
{
  if (c->state != OVK__RUNNING || c->over) return;
  c->code = ovk__job_test(c->ctx, &c->job, &c->over);
  if (c->code) c->over = true;
  if (!c->over) ovk__on_empty_poll(c->ctx, &c->empty_polls);
}

/* Waits until the operation is complete or has failed. */
static void collective_wait(ovk_collective *c)
{
  if (!c->over) c->code = ovk__job_wait(c->ctx, c->spins, &c->job);
  c->state = c->code ? OVK__FAILED : OVK__IDLE;
}

ovk_err ovk_collective_test(ovk_collective *collective, bool *complete)
{
  ovk_collective *c = collective;
  if (!c) return OVK_ERR_ARG;
  OVK_CHECK(complete, c->ctx, OVK_ERR_ARG, "complete is NULL");
  OVK_CHECK(c->state == OVK__RUNNING, c->ctx, OVK_ERR_STATE, "test: this operation is not running");
  advance(c);
  *complete = c->over && !c->code;
  return report(c);
}

ovk_err ovk_collective_wait(ovk_collective *collective)
{
  ovk_collective *c = collective;
  if (!c) return OVK_ERR_ARG;
  OVK_CHECK(c->state == OVK__RUNNING, c->ctx, OVK_ERR_STATE, "wait: this operation is not running");
  collective_wait(c);
  return report(c);
}

ovk_err ovk_collective_run(ovk_collective *collective)
{
  OVK_TRY(ovk_collective_begin(collective));
  return ovk_collective_wait(collective);
}

bool ovk_collective_running(const ovk_collective *collective)
{
  return collective && collective->state == OVK__RUNNING;
}

static void progress(void *arg)
{
  advance(arg);
}

enum { POLL_ROWS = 1024 }; /* if the caller leaves progress to the library */

ovk_poll ovk_collective_poll(ovk_collective *collective, ovk_lidx every)
{
  if (!collective) return ovk_poll_none();
  return (ovk_poll){progress, collective, every < 1 ? POLL_ROWS : every};
}

void ovk_collective_destroy(ovk_collective **collective)
{
  if (!collective || !*collective) return;
  ovk_collective *c = *collective;
  const bool running = c->state == OVK__RUNNING;
  if (running && ovk__mpi_is_over()) {
    ovk__jobs_drop(c->ctx);
  } else if (running) {
    collective_wait(c);
  }
  if (c->endpoint) ovk__endpoint_enter(c->endpoint);
  ovk__submission_remove(&c->submission);
  if (c->endpoint) ovk__endpoint_leave(c->endpoint);
  (void)ovk__pipeline_free(&c->pipeline); /* the buffers belong to the user, who must keep them */
  if (c->endpoint) {
    ovk__endpoint_enter(c->endpoint);
    ovk__endpoint_return_lent(c->endpoint, &c->lent);
    ovk__endpoint_leave(c->endpoint);
  }
  ovk__schedule_free(&c->schedule);
  ovk__schedule_free(&c->last);
  ovk__ctx_release(c->held);
  free(c);
  *collective = NULL;
}
