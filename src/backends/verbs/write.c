/* SPDX-License-Identifier: BSD-2-Clause */
/* mode=write: the engine's schedules over RDMA writes. With alg=flat no progress by other ranks is
 * needed: every rank writes to all others in begin. */
#include "backends/verbs/verbs.h"

static ovk_err write_read_spec(ovk__verbs *verbs)
{
  return ovk__algorithm_spec_read(verbs->ctx, verbs->spec, &verbs->schedules.algorithms);
}

static ovk_err write_open(ovk__verbs *verbs)
{
  return ovk__schedule_cache_locate(verbs->ctx, verbs->comm, &verbs->schedules);
}

static ovk_err write_prepare(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out)
{
  const ovk__schedule *schedule = NULL;
  ovk_err err =
      failed ? OVK_OK
             : ovk__schedule_cache_find(verbs->ctx, &verbs->schedules, sum->count, &schedule);
  const ovk__op_desc desc = {.schedule = schedule,
                             .output = sum->values,
                             .element = sizeof(double),
                             .combine = ovk__combine_sum_double};
  ovk__request *request;
  const ovk_err made = ovk__request_create(verbs->engine, &desc, failed || err, &request);
  *out = request;
  return err ? err : made;
}

static bool write_release(void *sum)
{
  ovk__request *request = sum;
  return ovk__request_destroy(&request);
}

const ovk__verbs_mode ovk__mode_write = {.name = "write",
                                         .read = write_read_spec,
                                         .open = write_open,
                                         .prepare = write_prepare,
                                         .release = write_release,
                                         .start = ovk__request_start,
                                         .advance = ovk__request_advance};
