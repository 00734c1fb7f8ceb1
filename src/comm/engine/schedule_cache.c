/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds, keeps and finds schedules. */
#include "comm/engine/schedule_cache.h"
#include "comm/engine/topology/topology.h"
#include "core/context/mem.h"

#include <stdlib.h>

struct ovk__cached_schedule {
  ovk__cached_schedule *next;
  int count;
  ovk__schedule schedule;
};

ovk_err ovk__schedule_cache_locate(ovk_ctx *ctx, MPI_Comm comm, ovk__schedule_cache *cache)
{
  return ovk__topology_hierarchy(ctx, comm, &cache->algorithms, &cache->hierarchy);
}

static ovk_err build(ovk_ctx *ctx, const ovk__schedule_cache *cache, int count,
                     ovk__cached_schedule **out)
{
  ovk__cached_schedule *cached;
  OVK_NEW(ctx, cached);
  cached->count = count;
  const ovk_err err =
      ovk__schedule_allreduce(ctx, &cache->algorithms, &cache->hierarchy, ovk_ctx_rank(ctx),
                              (size_t)count, sizeof(double), &cached->schedule);
  if (err) {
    ovk__schedule_free(&cached->schedule);
    free(cached);
    return err;
  }
  *out = cached;
  return OVK_OK;
}

ovk_err ovk__schedule_cache_find(ovk_ctx *ctx, ovk__schedule_cache *cache, int count,
                                 const ovk__schedule **out)
{
  ovk__cached_schedule *p = cache->list;
  while (p && p->count != count) p = p->next;
  if (!p) {
    OVK_TRY(build(ctx, cache, count, &p));
    p->next = cache->list;
    cache->list = p;
  }
  *out = &p->schedule;
  return OVK_OK;
}

void ovk__schedule_cache_free(ovk__schedule_cache *cache)
{
  while (cache->list) {
    ovk__cached_schedule *p = cache->list;
    cache->list = p->next;
    ovk__schedule_free(&p->schedule);
    free(p);
  }
  ovk__hierarchy_free(&cache->hierarchy);
}
