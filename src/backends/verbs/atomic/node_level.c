/* SPDX-License-Identifier: BSD-2-Clause */
/* A reduction of exact numbers and a broadcast of doubles, as requests of the engine. Neither is a
 * barrier by itself; together with the network's part between them they form one. */
#include "backends/verbs/atomic/node_level.h"
#include "comm/engine/schedule/algorithms/algorithms.h"
#include "core/context/mem.h"
#include "core/exact/exact.h"

#include <stdlib.h>
#include <string.h>

enum { DEGREE = 4 }; /* of the trees; a receiver waits for nine cache lines per element */

/* The places of an operation in place. */
static const ovk_place own = {OVK_OUTPUT, 0}, scratch = {OVK_WORK, 0};

static ovk_err node_level_build_schedules(ovk_ctx *ctx, ovk__group group, ovk__node_level *l)
{
  const size_t count = (size_t)l->count;
  ovk__builder b = ovk__build_begin(ctx, group, &l->gathering);
  b.channel = OVK__SHM;
  ovk__build_tree_reduce(&b, DEGREE, own, own, scratch, count);
  OVK_TRY(ovk__build_end(&b));
  b = ovk__build_begin(ctx, group, &l->spreading);
  b.channel = OVK__SHM;
  ovk__build_tree_bcast(&b, DEGREE, own, count);
  return ovk__build_end(&b);
}

static ovk_err node_level_build(ovk_ctx *ctx, ovk__group group, ovk__node_level *l)
{
  OVK_NEW_ARRAY(ctx, l->numbers, (size_t)l->count * OVK__EXACT_WORDS);
  return node_level_build_schedules(ctx, group, l);
}

ovk_err ovk__node_level_make(ovk_ctx *ctx, ovk__engine *engine, ovk__group group, double *values,
                             int count, bool failed, ovk__node_level *out)
{
  *out = (ovk__node_level){.count = count, .values = values};
  ovk_err err = failed ? OVK_OK : node_level_build(ctx, group, out);
  const ovk__op_desc gather = {.schedule = &out->gathering,
                               .output = out->numbers,
                               .element = OVK__EXACT_WORDS * sizeof *out->numbers,
                               .combine = ovk__exact_add};
  const ovk__op_desc spread = {
      .schedule = &out->spreading, .output = values, .element = sizeof *values};
  const ovk_err gathers = ovk__request_create(engine, &gather, failed || err, &out->gather);
  if (!err) err = gathers;
  const ovk_err spreads = ovk__request_create(engine, &spread, failed || err, &out->spread);
  return err ? err : spreads;
}

void ovk__node_level_free(ovk__node_level *level)
{
  (void)ovk__request_destroy(&level->gather); /* shared memory alone */
  (void)ovk__request_destroy(&level->spread);
  ovk__schedule_free(&level->gathering);
  ovk__schedule_free(&level->spreading);
  free(level->numbers);
}

int ovk__node_level_start(ovk__node_level *level)
{
  const ovk__node_level *l = level;
  memset(l->numbers, 0, (size_t)l->count * OVK__EXACT_WORDS * sizeof *l->numbers);
  for (int i = 0; i < l->count; i++) {
    ovk__exact_add_value(l->numbers + (size_t)i * OVK__EXACT_WORDS, l->values[i]);
  }
  return ovk__request_start(l->gather);
}
