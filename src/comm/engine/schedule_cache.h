/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedules of a backend's reductions: built at the first use of a size and shared by all
 * reductions of that size. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_CACHE_H
#define OVK_COMM_ENGINE_SCHEDULE_CACHE_H

#include "comm/engine/schedule/algorithm_spec.h"

typedef struct ovk__cached_schedule ovk__cached_schedule;

typedef struct ovk__schedule_cache {
  ovk__algorithm_spec algorithms; /* read from a spec by the owner */
  ovk__hierarchy hierarchy;
  ovk__cached_schedule *list;
} ovk__schedule_cache;

/* Finds the hierarchy of the machine for the algorithms; the rest of *cache is zero before.
 * ovk__schedule_cache_free() must be called also after an error. Collective over comm; errors are
 * not agreed, but no rank hangs. */
ovk_err ovk__schedule_cache_locate(ovk_ctx *ctx, MPI_Comm comm, ovk__schedule_cache *cache);

/* *out <- the schedule of an all-reduce of `count` values. Not collective. */
ovk_err ovk__schedule_cache_find(ovk_ctx *ctx, ovk__schedule_cache *cache, int count,
                                 const ovk__schedule **out);

void ovk__schedule_cache_free(ovk__schedule_cache *cache);

#endif
