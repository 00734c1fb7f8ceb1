/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "nbc": executes reductions as requests of the engine, with the algorithms that the
 * spec names. */
#include "comm/engine/pipeline.h"
#include "comm/engine/progress.h"
#include "comm/engine/schedule_cache.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <limits.h>
#include <ovkrylov/plugin/backend.h>
#include <stdlib.h>

static const ovk_option options[] = {
    OVK__ALGORITHM_OPTIONS, OVK__FRAGMENT_OPTIONS,
    OVK_WORD("progress", 0, "progress by calls of this rank, or by a thread", "poll", "thread"),
    OVK_INTEGER("core", 0, INT_MAX, OVK__NO_CORE, "core that the progress thread is bound to"),
    OVK_OPTIONS_END};

/* The values of the spec, other than the shape. */
typedef struct settings {
  ovk__fragments fragments;
  bool threaded;
  int core; /* that the thread is bound to */
} settings;

/* The state of the backend. */
typedef struct nbc {
  settings settings;
  ovk__schedule_cache schedules;
  ovk__engine *engine;
  ovk__progress *progress;
} nbc;

/* The request of a reduction. */
typedef struct request {
  ovk__pipeline pipeline;
  ovk__job job;
} request;

static ovk_err nbc_read_settings(ovk_ctx *ctx, const ovk_spec *spec, settings *out)
{
  long core;
  int threaded;
  OVK_TRY(ovk_spec_word(ctx, spec, options, "progress", &threaded));
  OVK_CHECK(threaded || !ovk_spec_has(spec, "core"), ctx, OVK_ERR_ARG,
            "'%s': core belongs to progress=thread", ovk_spec_name(spec));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "core", &core));
  out->threaded = threaded;
  out->core = (int)core;
  return ovk__fragments_read(ctx, spec, &out->fragments);
}

static void nbc_close(ovk_backend *backend)
{
  nbc *n = backend->state;
  if (!n) return;
  ovk__progress_close(&n->progress);
  ovk__schedule_cache_free(&n->schedules);
  ovk__engine_close(&n->engine);
  free(n);
}

static ovk_err nbc_read_spec(ovk_backend *backend)
{
  OVK_NEW_AT(backend->ctx, backend->state, nbc, nbc_state);
  OVK_TRY(ovk__algorithm_spec_read(backend->ctx, backend->spec, &nbc_state->schedules.algorithms));
  return nbc_read_settings(backend->ctx, backend->spec, &nbc_state->settings);
}

static ovk_err nbc_open_engine(ovk_backend *backend)
{
  nbc *n = backend->state;
  OVK_TRY(ovk__engine_open(backend->ctx, backend->comm, &n->engine));
  OVK_TRY(ovk__schedule_cache_locate(backend->ctx, backend->comm, &n->schedules));
  return ovk__progress_open(n->engine, n->settings.threaded, n->settings.core, &n->progress);
}

/* Closing an engine is collective, so open agrees on whether it is open. */
static ovk_err nbc_open(ovk_backend *backend)
{
  ovk_err err = ovk__agree(backend->ctx, nbc_read_spec(backend));
  if (!err) err = ovk__agree(backend->ctx, nbc_open_engine(backend));
  if (err) nbc_close(backend);
  return err;
}

static void nbc_release(ovk_sum *sum)
{
  request *r = sum->request;
  if (r && !ovk__pipeline_free(&r->pipeline))
    sum->values = NULL; /* MPI may still access them: not freed */
  free(r);
}

static ovk_err nbc_make_request(ovk_sum *sum)
{
  OVK_NEW_AT(sum->backend->ctx, sum->request, request, reduction);
  return OVK_OK;
}

/* A rank that cannot allocate also calls ovk__pipeline_make(), which is collective. */
static ovk_err nbc_prepare(ovk_sum *sum)
{
  nbc *n = sum->backend->state;
  ovk_ctx *ctx = sum->backend->ctx;
  const ovk__cut cut = ovk__cut_up(sum->count, sizeof(double), n->settings.fragments);
  const ovk__schedule *last = NULL;
  ovk__op_desc desc = {
      .output = sum->values, .element = sizeof(double), .combine = ovk__combine_sum_double};
  ovk__pipeline pipeline;
  ovk_err err = nbc_make_request(sum);
  if (!err) err = ovk__schedule_cache_find(ctx, &n->schedules, cut.fragment, &desc.schedule);
  if (!err) err = ovk__schedule_cache_find(ctx, &n->schedules, cut.last, &last);
  const ovk_err made = ovk__pipeline_make(n->engine, &desc, last, cut, err != OVK_OK, &pipeline);
  if (!err) err = made;
  request *r = sum->request;
  if (r) {
    r->pipeline = pipeline;
    r->job = (ovk__job){.advance = ovk__pipeline_advance, .self = &r->pipeline};
  }
  if (err) nbc_release(sum);
  return err;
}

static ovk_err nbc_begin(ovk_sum *sum)
{
  const nbc *n = sum->backend->state;
  request *r = sum->request;
  OVK_TRY_MPI(sum->backend->ctx, ovk__pipeline_start(&r->pipeline));
  ovk__progress_begin(n->progress, &r->job);
  return OVK_OK;
}

static ovk_err nbc_test(ovk_sum *sum, bool *complete)
{
  const nbc *n = sum->backend->state;
  request *r = sum->request;
  OVK_TRY_MPI(sum->backend->ctx, ovk__progress_test(n->progress, &r->job, complete));
  return OVK_OK;
}

static ovk_err nbc_wait(ovk_sum *sum)
{
  const nbc *n = sum->backend->state;
  request *r = sum->request;
  OVK_TRY_MPI(sum->backend->ctx, ovk__progress_wait(n->progress, &r->job));
  return OVK_OK;
}

const ovk_backend_ops ovk__backend_nbc = {
    .name = "nbc",
    .summary = "nonblocking schedules over MPI messages and shared memory, as in LibNBC",
    .keys = options,
    .begins_at_once = true,
    .begin = nbc_begin,
    .test = nbc_test,
    .open = nbc_open,
    .close = nbc_close,
    .prepare = nbc_prepare,
    .release = nbc_release,
    .wait = nbc_wait,
};
