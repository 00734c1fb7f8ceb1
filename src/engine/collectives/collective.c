/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a collective operation once it is made. A run keeps its failure and its completion
 * itself, and says them again whenever it is asked. */
#include "engine/collectives/collective.h"

#include <stdlib.h>
#include <string.h>

ovk_err ovk_collective_begin(ovk_collective *collective)
{
  ovk_collective *c = collective;
  if (!c) return OVK_ERR_ARG;
  OVK_CHECK(c->state == OVK__IDLE, c->ctx, OVK_ERR_STATE, "begin: this operation %s",
            c->state == OVK__RUNNING ? "is running already"
                                     : "has failed and can only be destroyed");
  if (c->bytes) memmove(c->to, c->from, c->bytes);
  c->state = OVK__BROKEN;
  OVK_TRY_MPI(c->ctx, ovk__run_start(c->run));
  c->state = OVK__RUNNING;
  return OVK_OK;
}

ovk_err ovk_collective_test(ovk_collective *collective, bool *complete)
{
  ovk_collective *c = collective;
  if (!c) return OVK_ERR_ARG;
  OVK_CHECK(complete, c->ctx, OVK_ERR_ARG, "complete is NULL");
  OVK_CHECK(c->state == OVK__RUNNING, c->ctx, OVK_ERR_STATE, "test: this operation is not running");
  OVK_TRY_MPI(c->ctx, ovk__run_advance(c->run, complete));
  return OVK_OK;
}

ovk_err ovk_collective_wait(ovk_collective *collective)
{
  ovk_collective *c = collective;
  if (!c) return OVK_ERR_ARG;
  OVK_CHECK(c->state == OVK__RUNNING, c->ctx, OVK_ERR_STATE, "wait: this operation is not running");
  c->state = OVK__BROKEN;
  OVK_TRY_MPI(c->ctx, ovk__run_wait(c->run));
  c->state = OVK__IDLE;
  return OVK_OK;
}

bool ovk_collective_running(const ovk_collective *collective)
{
  return collective && collective->state == OVK__RUNNING;
}

static void progress(void *arg)
{
  ovk_collective *c = arg;
  bool complete; /* wait asks again, as it does for a failure */
  if (c->state == OVK__RUNNING) (void)ovk__run_advance(c->run, &complete);
}

ovk_poll ovk_collective_poll(ovk_collective *collective, ovk_lidx every)
{
  return (ovk_poll){progress, collective, every < 1 ? 1 : every};
}

void ovk_collective_destroy(ovk_collective **collective)
{
  if (!collective || !*collective) return;
  ovk_collective *c = *collective;
  if (c->state == OVK__RUNNING) (void)ovk__run_wait(c->run);
  ovk__run_destroy(&c->run);
  ovk__schedule_free(&c->schedule);
  free(c);
  *collective = NULL;
}
