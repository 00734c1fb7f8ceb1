/* SPDX-License-Identifier: BSD-2-Clause */
/* From the spec of a backend to the algorithms of its schedules. */
#include "model/plan/resolve.h"
#include "backends/choose.h"
#include "backends/named.h"
#include "model/network/links.h"

#include <string.h>

/* All ranks in one level, or by doubling. */
static ovk__algorithm_spec one_level(ovk__algorithm algorithm, ovk__channel channel)
{
  return (ovk__algorithm_spec){.level = {{algorithm, channel, 2, 2}}, .by_size = true};
}

/* Sets the sizes of the levels; of the groups of a machine, the model has nodes only. */
static ovk_err give_sizes(ovk_ctx *ctx, const ovk_model *model, const char *text,
                          ovk__algorithm_spec *algorithms)
{
  if (algorithms->by_size) return OVK_OK;
  for (int k = 0; k < algorithms->ngroupings; k++) {
    OVK_CHECK(
        algorithms->grouping[k] == OVK__NODE, ctx, OVK_ERR_UNSUPPORTED,
        "'%s': the model has nodes, but no sockets or NUMA domains; give sizes, as in levels=4x2",
        text);
  }
  algorithms->by_size = true;
  if (algorithms->ngroupings) algorithms->size[0] = model->machine.ranks_per_node;
  return OVK_OK;
}

static ovk_err follow_schedule(ovk_ctx *ctx, const ovk_model *model, const ovk_spec *spec,
                               ovk__resolved *out)
{
  const char *text = ovk_spec_text(spec), *progress = ovk_spec_string(spec, "progress", "poll");
  const bool in_pieces = ovk_spec_has(spec, "fragment");
  OVK_CHECK(!in_pieces || model->doubles > 0, ctx, OVK_ERR_UNSUPPORTED,
            "'%s': the model does not follow sums in pieces of a solve", text);
  if (in_pieces) OVK_TRY(ovk__fragments_read(ctx, spec, &out->fragments));
  OVK_CHECK(strcmp(ovk_spec_string(spec, "mode", "write"), "write") == 0, ctx, OVK_ERR_UNSUPPORTED,
            "'%s': the model follows verbs in mode=write only", text);
  out->agent = strcmp(ovk_spec_string(spec, "agent", "none"), "none") != 0;
  out->async = out->agent || strcmp(progress, "thread") == 0;
  OVK_CHECK(out->async || strcmp(progress, "poll") == 0, ctx, OVK_ERR_ARG,
            "'%s': progress is poll or thread, not '%s'", text, progress);
  OVK_TRY(ovk__algorithm_spec_read(ctx, spec, &out->algorithms));
  return give_sizes(ctx, model, text, &out->algorithms);
}

static ovk_err follow_shm(ovk_ctx *ctx, const ovk_model *model, ovk__resolved *out)
{
  OVK_CHECK(model->machine.ranks_per_node >= model->nranks, ctx, OVK_ERR_UNSUPPORTED,
            "shm needs all ranks on one node: of %d, %d share one", model->nranks,
            model->machine.ranks_per_node);
  out->algorithms = one_level(OVK__FLAT, OVK__SHM);
  return OVK_OK;
}

static ovk_err follow(ovk_ctx *ctx, const ovk_model *model, const ovk_spec *spec,
                      ovk__resolved *out);

static ovk_err follow_text(ovk_ctx *ctx, const ovk_model *model, const char *text,
                           ovk__resolved *out)
{
  ovk_spec *spec;
  const ovk_backend_ops *ops;
  OVK_TRY(ovk__backend_parse(ctx, text, &spec, &ops, NULL));
  const ovk_err err = follow(ctx, model, spec, out);
  ovk_spec_destroy(&spec);
  return err;
}

static ovk_err follow_auto(ovk_ctx *ctx, const ovk_model *model, ovk__resolved *out)
{
  const int most = model->machine.ranks_per_node;
  const int here = most < model->nranks ? most : model->nranks;
  return follow_text(ctx, model,
                     ovk__backend_suits(here, model->nranks, model->precond_never_polls), out);
}

static ovk_err follow_latency(ovk_ctx *ctx, const ovk_model *model, const ovk_spec *spec,
                              ovk__resolved *out)
{
  OVK_CHECK(out->ndelays < OVK__MAX_DELAYS, ctx, OVK_ERR_UNSUPPORTED,
            "the model follows %d delays in a row at most", OVK__MAX_DELAYS);
  OVK_TRY(ovk__latency_read(ctx, spec, &out->delays[out->ndelays++]));
  return follow(ctx, model, ovk_spec_inner(spec), out);
}

/* Resolves a parsed spec. */
static ovk_err follow(ovk_ctx *ctx, const ovk_model *model, const ovk_spec *spec,
                      ovk__resolved *out)
{
  const char *name = ovk_spec_name(spec);
  if (strcmp(name, "emulate-latency") == 0) return follow_latency(ctx, model, spec, out);
  if (strcmp(name, "auto") == 0) return follow_auto(ctx, model, out);
  if (strcmp(name, "shm") == 0) return follow_shm(ctx, model, out);
  if (strcmp(name, "nbc") == 0 || strcmp(name, "verbs") == 0) {
    return follow_schedule(ctx, model, spec, out);
  }
  out->blocking = strcmp(name, "blocking") == 0;
  OVK_CHECK(out->blocking || strcmp(name, "iallreduce") == 0, ctx, OVK_ERR_UNSUPPORTED,
            "the model cannot follow the backend '%s'", name);
  out->algorithms = one_level(OVK__KARY, OVK__P2P);
  return OVK_OK;
}

ovk_err ovk__resolve(ovk_ctx *ctx, const ovk_model *model, ovk__resolved *out)
{
  *out = (ovk__resolved){0};
  OVK_TRY(follow_text(ctx, model, model->backend ? model->backend : "blocking", out));
  out->async = !out->blocking && (out->async || model->async);
  return OVK_OK;
}
