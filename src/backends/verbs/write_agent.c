/* SPDX-License-Identifier: BSD-2-Clause */
/* mode=write with agent=thread: the same schedules, executed by an agent, with which the rank
 * shares one array for each reduction. */
#include "backends/verbs/verbs.h"
#include "comm/agent/agent.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

/* A reduction. */
typedef struct agent_sum {
  ovk__verbs *verbs;
  ovk__request *request;
  ovk__submission submission;
  double *values; /* the values of the reduction, as users see them */
  double *shared; /* by the rank and its agent */
  size_t bytes;
} agent_sum;

static ovk_err write_agent_open(ovk__verbs *verbs)
{
  /* Agreed, as all ranks open agents together. */
  OVK_TRY(ovk__agree(verbs->ctx,
                     ovk__schedule_cache_locate(verbs->ctx, verbs->comm, &verbs->schedules)));
  return ovk__agent_open_local(verbs->engine, &verbs->agent);
}

static void write_agent_close(ovk__verbs *verbs)
{
  ovk__agent_close(&verbs->agent);
}

static ovk_err agent_sum_make(ovk__verbs *verbs, const ovk_sum *sum, agent_sum **out)
{
  OVK_NEW_AT(verbs->ctx, *out, agent_sum, reduction);
  reduction->verbs = verbs;
  reduction->values = sum->values;
  reduction->bytes = (size_t)sum->count * sizeof *reduction->shared;
  OVK_NEW_ARRAY(verbs->ctx, reduction->shared, sum->count);
  return OVK_OK;
}

static void agent_sum_free(agent_sum *s)
{
  if (!s) return;
  free(s->shared);
  free(s);
}

/* All ranks create the request, also after a failure here. */
static ovk_err agent_sum_make_request(ovk__verbs *verbs, const ovk_sum *sum, bool failed,
                                      agent_sum *s)
{
  const ovk__schedule *schedule = NULL;
  ovk_err err =
      failed ? OVK_OK
             : ovk__schedule_cache_find(verbs->ctx, &verbs->schedules, sum->count, &schedule);
  const ovk__op_desc desc = {.schedule = schedule,
                             .output = failed ? NULL : s->shared,
                             .element = sizeof(double),
                             .combine = ovk__combine_sum_double};
  ovk__request *request;
  const ovk_err made = ovk__request_create(verbs->engine, &desc, failed || err, &request);
  if (request) {
    s->request = request;
    ovk__submission_add(&s->submission, verbs->agent, ovk__request_start, ovk__request_advance,
                        request, ovk__count_messages(schedule, OVK__RECEIVE, OVK__SHM) > 0);
  }
  return err ? err : made;
}

/* The agent is idle meanwhile: all ranks are here, and wait for none of its reductions. */
static ovk_err write_agent_prepare(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out)
{
  agent_sum *s = NULL;
  ovk_err err = failed ? OVK_OK : agent_sum_make(verbs, sum, &s);
  ovk__endpoint_enter(verbs->endpoint);
  const ovk_err made = agent_sum_make_request(verbs, sum, failed || err, s);
  ovk__endpoint_leave(verbs->endpoint);
  if (!err) err = made;
  if (s && !s->request) {
    agent_sum_free(s);
    s = NULL;
  }
  *out = s;
  return err;
}

static bool write_agent_release(void *sum)
{
  agent_sum *s = sum;
  if (!s) return true;
  ovk__verbs *v = s->verbs;
  ovk__endpoint_enter(v->endpoint);
  ovk__submission_remove(&s->submission);
  ovk__endpoint_leave(v->endpoint);
  (void)ovk__request_destroy(&s->request); /* MPI does not access it */
  agent_sum_free(s);
  return true;
}

static int write_agent_start(void *sum)
{
  agent_sum *s = sum;
  memcpy(s->shared, s->values, s->bytes);
  ovk__submission_begin(&s->submission);
  return MPI_SUCCESS;
}

/* A failure of the endpoint is noticed by ovk__recovery_look(), which knows its reason. */
static int write_agent_advance(void *self, bool *complete)
{
  agent_sum *s = self;
  *complete = ovk__submission_is_complete(&s->submission);
  if (*complete) memcpy(s->values, s->shared, s->bytes);
  return MPI_SUCCESS;
}

const ovk__verbs_mode ovk__mode_write_agent = {.name = "write",
                                               .read = ovk__verbs_read_schedules_of_agent,
                                               .open = write_agent_open,
                                               .close = write_agent_close,
                                               .prepare = write_agent_prepare,
                                               .release = write_agent_release,
                                               .start = write_agent_start,
                                               .advance = write_agent_advance};
