/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the schedules that backends execute, for any number of ranks. */
#include "backends/named.h"
#include "comm/engine/schedule/algorithm_spec.h"
#include "core/context/check.h"

#include <string.h>

enum { MOST_RANKS = 1 << 24 }; /* more than any machine runs */

static bool has_key(const ovk_backend_ops *ops, const char *key)
{
  for (const ovk_option *k = ops->keys; k && k->name; k++) {
    if (strcmp(k->name, key) == 0) return true;
  }
  return false;
}

/* Backends that execute schedules have the keys of specs. */
static ovk_err check_follows(ovk_ctx *ctx, const ovk_backend_ops *ops)
{
  static const ovk_option keys[] = {OVK__ALGORITHM_OPTIONS};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    OVK_CHECK(has_key(ops, keys[k].name), ctx, OVK_ERR_ARG,
              "'%s' follows no schedule: it has no key '%s'", ops->name, keys[k].name);
  }
  return OVK_OK;
}

static ovk_err read_algorithms(ovk_ctx *ctx, const char *text, ovk__algorithm_spec *algorithms)
{
  ovk_spec *spec = NULL;
  const ovk_backend_ops *ops;
  OVK_TRY(ovk__backend_parse(ctx, text, &spec, &ops, NULL));
  ovk_err err = check_follows(ctx, ops);
  if (!err) err = ovk__algorithm_spec_read(ctx, spec, algorithms);
  ovk_spec_destroy(&spec);
  return err;
}

ovk_err ovk_list_schedule(ovk_ctx *ctx, const char *spec, int nranks, int rank, int count,
                          ovk_action_fn each, void *arg)
{
  OVK_CHECK(spec, ctx, OVK_ERR_ARG, "spec is NULL");
  OVK_CHECK(nranks >= 1 && nranks <= MOST_RANKS, ctx, OVK_ERR_ARG, "nranks is %d, not 1 to %d",
            nranks, MOST_RANKS);
  OVK_CHECK(rank >= 0 && rank < nranks, ctx, OVK_ERR_ARG, "rank is %d, not 0 to %d", rank,
            nranks - 1);
  OVK_CHECK(count >= 1, ctx, OVK_ERR_ARG, "count is %d, it must be at least 1", count);
  ovk__algorithm_spec algorithms;
  OVK_TRY(read_algorithms(ctx, spec, &algorithms));
  OVK_CHECK(algorithms.by_size || algorithms.ngroupings == 0, ctx, OVK_ERR_ARG,
            "'%s': these levels depend on the machine; give sizes, as in levels=4x2", spec);
  ovk__hierarchy hierarchy;
  ovk__schedule schedule = {0};
  ovk_err err =
      ovk__hierarchy_by_size(ctx, nranks, algorithms.size, algorithms.ngroupings, &hierarchy);
  if (!err)
    err = ovk__schedule_allreduce(ctx, &algorithms, &hierarchy, rank, (size_t)count, sizeof(double),
                                  &schedule);
  if (!err && each) ovk__schedule_print(&schedule, each, arg);
  ovk__schedule_free(&schedule);
  ovk__hierarchy_free(&hierarchy);
  return err;
}
