/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of schedules. */
#include "comm/engine/plans.h"
#include "comm/engine/topology/topology.h"

#include <stdlib.h>

struct ovk__plan {
  ovk__plan *next;
  int count;
  ovk__schedule schedule;
};

ovk_err ovk__plans_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__plans *plans)
{
  return ovk__shape_read(ctx, spec, &plans->shape);
}

ovk_err ovk__plans_locate(ovk_ctx *ctx, MPI_Comm comm, ovk__plans *plans)
{
  return ovk__topology_hierarchy(ctx, comm, &plans->shape, &plans->hierarchy);
}

static ovk_err build(ovk_ctx *ctx, const ovk__plans *plans, int count, ovk__plan **out)
{
  ovk__plan *p = calloc(1, sizeof *p);
  OVK_CHECK(p, ctx, OVK_ERR_MEMORY, "no memory for a schedule");
  p->count = count;
  const ovk_err err =
      ovk__schedule_allreduce(ctx, &plans->shape, &plans->hierarchy, ovk_ctx_rank(ctx),
                              (size_t)count, sizeof(double), &p->schedule);
  if (err) {
    ovk__schedule_free(&p->schedule);
    free(p);
    return err;
  }
  *out = p;
  return OVK_OK;
}

ovk_err ovk__plans_find(ovk_ctx *ctx, ovk__plans *plans, int count, const ovk__schedule **out)
{
  ovk__plan *p = plans->list;
  while (p && p->count != count) p = p->next;
  if (!p) {
    OVK_TRY(build(ctx, plans, count, &p));
    p->next = plans->list;
    plans->list = p;
  }
  *out = &p->schedule;
  return OVK_OK;
}

void ovk__plans_free(ovk__plans *plans)
{
  while (plans->list) {
    ovk__plan *p = plans->list;
    plans->list = p->next;
    ovk__schedule_free(&p->schedule);
    free(p);
  }
  ovk__hierarchy_free(&plans->hierarchy);
}
