/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations with user-defined schedules. */
#include "comm/engine/collectives/create.h"
#include "comm/engine/collectives/keys.h"
#include "comm/engine/collectives/own_schedule.h"

static ovk_err build(const ovk__call *c, ovk__schedule *out)
{
  return ovk__own_schedule_copy(c->ctx, c->schedule, c->algorithms.level[0].channel, out);
}

ovk_err ovk_collective_create_scheduled(ovk_ctx *ctx, const char *spec,
                                        const ovk_schedule *schedule, const void *input, int inputs,
                                        void *output, int outputs, MPI_Datatype type, MPI_Op op,
                                        ovk_collective **out)
{
  static const ovk__operation operation = {
      "scheduled operation",
      OVK__BLOCK,
      OVK__BLOCK,
      &ovk__channel_keys,
      build,
      OVK__SCHEDULED | OVK__VARIES | OVK__IN_ORDER | OVK__HAS_LEVELS};
  const ovk__call call = {.ctx = ctx,
                          .text = spec,
                          .send = input,
                          .receive = output,
                          .out = ovk__uniform(inputs),
                          .in = ovk__uniform(outputs),
                          .by_mpi = true,
                          .mpi_type = type,
                          .mpi_op = op,
                          .schedule = schedule};
  return ovk__collective_create(&operation, call, out);
}
