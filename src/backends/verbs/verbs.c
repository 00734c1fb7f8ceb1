/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "verbs": reductions over a NIC with remote memory access, in one of two modes. */
#include "backends/verbs/verbs.h"
#include "comm/engine/engine.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ovk_option options[] = {
    OVK__ALGORITHM_OPTIONS,
    OVK__ENDPOINT_OPTIONS,
    OVK_WORD("mode", 0, "how values travel: RDMA writes, or atomic additions", "write", "atomic"),
    OVK_TEXT("agent", "none|thread|HOST:PORT|FILE", "none", "process that drives the schedules"),
    OVK_TEXT("fallback", "SPEC, with ';' for ','", NULL, "backend that replaces a failed network"),
    OVK_OPTIONS_END};

/* The request of a reduction. */
typedef struct request {
  ovk__verbs *verbs;
  ovk__record *record;
  void *own; /* the mode's state; NULL: uses only the other backend */
  ovk__job job;
} request;

static ovk_err read_mode(ovk__verbs *v)
{
  static const ovk__verbs_mode *const modes[] = {&ovk__mode_write, &ovk__mode_atomic};
  int mode;
  OVK_TRY(ovk_spec_word(v->ctx, v->spec, options, "mode", &mode));
  v->mode = modes[mode];
  return OVK_OK;
}

/* With an agent, mode=write becomes one of the other two. */
static ovk_err read_agent(ovk__verbs *v)
{
  const char *agent = ovk_spec_string(v->spec, "agent", "none");
  const bool is_thread = strcmp(agent, "thread") == 0;
  const bool has_agent = is_thread || ovk__remote_is_address(agent);
  OVK_CHECK(has_agent || strcmp(agent, "none") == 0, v->ctx, OVK_ERR_ARG,
            "'%s': agent is none, thread, HOST:PORT or a file, with a '/', not '%s'",
            ovk_spec_name(v->spec), agent);
  OVK_CHECK(!has_agent || v->mode == &ovk__mode_write, v->ctx, OVK_ERR_ARG,
            "'%s': agent belongs to mode=write; with mode=%s the NIC adds", ovk_spec_name(v->spec),
            v->mode->name);
  if (has_agent) v->mode = is_thread ? &ovk__mode_write_agent : &ovk__mode_write_remote;
  return OVK_OK;
}

ovk_err ovk__verbs_read_schedules_of_agent(ovk__verbs *verbs)
{
  ovk__algorithm_spec *algorithms = &verbs->schedules.algorithms;
  OVK_TRY(ovk__algorithm_spec_read(verbs->ctx, verbs->spec, algorithms));
  for (int k = 0; k <= algorithms->ngroupings; k++) {
    const ovk__channel channel = algorithms->level[k].channel;
    const bool inside = k < algorithms->ngroupings && verbs->mode == &ovk__mode_write_agent;
    OVK_CHECK(channel == OVK__RDMA || (inside && channel == OVK__SHM), verbs->ctx,
              OVK_ERR_UNSUPPORTED,
              "'verbs': an agent has channel=%s at every level, or with agent=thread %s at inner "
              "ones, not channel=%s at level %d",
              ovk__channel_names[OVK__RDMA], ovk__channel_names[OVK__SHM],
              ovk__channel_names[channel], k);
  }
  return OVK_OK;
}

/* A spec in a spec: ';' stands for ','. */
static ovk_err copy_fallback(ovk__verbs *v)
{
  const char *text = ovk_spec_string(v->spec, "fallback", NULL);
  if (!text) return OVK_OK;
  v->fallback = ovk__copy_text(text);
  OVK_CHECK(v->fallback, v->ctx, OVK_ERR_MEMORY, "no memory for a spec");
  for (char *c = v->fallback; *c; c++) {
    if (*c == ';') *c = ',';
  }
  return OVK_OK;
}

/* The local part of opening. */
static ovk_err verbs_make(ovk_backend *backend)
{
  OVK_NEW_AT(backend->ctx, backend->state, ovk__verbs, verbs);
  verbs->ctx = backend->ctx;
  verbs->comm = backend->comm;
  verbs->spec = backend->spec;
  OVK_TRY(read_mode(verbs));
  OVK_TRY(read_agent(verbs));
  OVK_TRY(copy_fallback(verbs));
  OVK_TRY(verbs->mode->read(verbs));
  return ovk__endpoint_open(verbs->ctx, verbs->comm, verbs->spec, &verbs->endpoint);
}

/* How long a rank may stay outside the library after others have detected a failure. */
static double recovery_timeout(const ovk__endpoint *endpoint)
{
  const double least = 1, most = 60, half = ovk__endpoint_timeout(endpoint) / 2;
  return half > 0 && half < most ? fmax(half, least) : most;
}

/* The fallback is opened for this backend alone: recovery begins its reductions at different times
 * on different ranks. */
static ovk_err verbs_open_together(ovk_backend *backend)
{
  ovk__verbs *v = backend->state;
  const ovk__recovery_opts opts = {recovery_timeout(v->endpoint), v->fallback};
  if (v->fallback) OVK_TRY(ovk_backend_open_companion(backend, v->fallback));
  OVK_TRY(ovk__engine_open(v->ctx, v->comm, &v->engine));
  ovk__engine_use(v->engine, v->endpoint);
  OVK_TRY(ovk__agree(v->ctx, v->mode->open(v)));
  return ovk__recovery_open(v->ctx, v->comm, v->engine, opts, &v->recovery);
}

static void verbs_close(ovk_backend *backend)
{
  ovk__verbs *v = backend->state;
  if (!v) return;
  if (v->recovery && !ovk__recovery_shutdown(v->recovery))
    backend->comm = MPI_COMM_NULL; /* not freed */
  ovk__recovery_close(&v->recovery);
  if (v->mode && v->mode->close) v->mode->close(v);
  ovk__schedule_cache_free(&v->schedules);
  ovk__engine_close(&v->engine);
  ovk__endpoint_close(&v->endpoint);
  free(v->fallback);
  free(v);
}

/* Closing is collective, so open agrees on the state of all ranks. */
static ovk_err verbs_open(ovk_backend *backend)
{
  ovk_err err = ovk__agree(backend->ctx, verbs_make(backend));
  if (!err) err = verbs_open_together(backend);
  if (err) verbs_close(backend);
  return err;
}

static void verbs_release(ovk_sum *sum)
{
  request *r = sum->request;
  if (!r) return;
  if (!r->verbs->mode->release(r->own))
    sum->values = NULL; /* MPI may still access them: not freed */
  if (r->record) ovk__recovery_remove(r->verbs->recovery, r->record);
  free(r);
}

/* Advances a reduction over the NIC. After a failure on any rank, no rank continues there. */
static void advance_own(const request *r, bool *complete)
{
  ovk__verbs *v = r->verbs;
  const int code = v->mode->advance(r->own, complete);
  if (code) ovk__recovery_enter(v->recovery, "MPI failed within a reduction");
  *complete = *complete && ovk__recovery_complete(v->recovery, r->record);
}

/* Advances a reduction after a failure, or over the other backend. The context's message is
 * preserved, since this is also called while the rank waits for something else. */
static ovk_err advance_substitute(const request *r, bool *complete)
{
  ovk_ctx *ctx = r->verbs->ctx;
  char message[sizeof ctx->message];
  memcpy(message, ctx->message, sizeof message);
  const ovk_err err = ovk__recovery_finish(r->verbs->recovery, r->record, complete);
  memcpy(ctx->message, message, sizeof message);
  return err;
}

/* Advances a reduction. */
static int verbs_advance(void *self, bool *complete)
{
  const request *r = self;
  *complete = r->record->completed == r->record->begun;
  if (*complete) return MPI_SUCCESS;
  const ovk__recovery_state phase = ovk__recovery_look(r->verbs->recovery);
  if (phase == OVK__SOUND) advance_own(r, complete);
  if (phase == OVK__SOUND || (phase == OVK__RECOVERING && !r->record->apart)) return MPI_SUCCESS;
  return advance_substitute(r, complete) ? OVK__NETWORK_FAILED : MPI_SUCCESS;
}

static ovk_err verbs_make_request(ovk__verbs *v, ovk_sum *sum, ovk_reduction *substitute)
{
  OVK_NEW_AT(v->ctx, sum->request, request, reduction);
  reduction->verbs = v;
  reduction->job = (ovk__job){.advance = verbs_advance, .self = reduction};
  return ovk__recovery_add(v->recovery, sum, substitute, &reduction->record);
}

/* Creates the reduction over the NIC, unless that has failed on any rank or fails now. */
static ovk_err verbs_make_own(ovk__verbs *v, ovk_sum *sum, bool failed)
{
  bool sound;
  void *own = NULL;
  request *r = sum->request;
  OVK_TRY(ovk__recovery_agree(v->recovery, &sound));
  if (sound) {
    const ovk_err err = v->mode->prepare(v, sum, failed, &own);
    if (r) r->own = own;
    OVK_TRY(ovk__recovery_agree(v->recovery, &sound));
    if (sound) return err;
  }
  if (!v->fallback) return ovk__recovery_fail(v->recovery);
  if (r && r->record) ovk__recovery_set_apart(v->recovery, r->record);
  return OVK_OK;
}

static ovk_err verbs_prepare(ovk_sum *sum)
{
  ovk__verbs *v = sum->backend->state;
  ovk_reduction *substitute = NULL;
  if (v->fallback) OVK_TRY(ovk_backend_companion_sum(sum->backend, sum->count, &substitute));
  ovk_err err = verbs_make_request(v, sum, substitute);
  if (err) ovk_reduction_destroy(&substitute);
  const ovk_err made = verbs_make_own(v, sum, err != OVK_OK);
  if (!err) err = made;
  if (err) verbs_release(sum);
  return err;
}

/* Only wait reports failures, the same on all ranks. A failure that one rank detects here is
 * detected by another only in wait, and a method may communicate with all ranks in between. */
static ovk_err verbs_begin(ovk_sum *sum)
{
  request *r = sum->request;
  ovk__verbs *v = r->verbs;
  ovk__recovery_begin(v->recovery, r->record);
  if (ovk__recovery_phase(v->recovery) == OVK__SOUND && v->mode->start(r->own)) {
    ovk__recovery_enter(v->recovery, "MPI failed within a reduction");
  }
  ovk__job_enter(v->ctx, &r->job);
  return OVK_OK;
}

/* Records the error message for a job's code. */
static ovk_err verbs_report(const request *r, int code)
{
  bool complete;
  return code ? ovk__recovery_finish(r->verbs->recovery, r->record, &complete) : OVK_OK;
}

static ovk_err verbs_test(ovk_sum *sum, bool *complete)
{
  request *r = sum->request;
  return verbs_report(r, ovk__job_test(r->verbs->ctx, &r->job, complete));
}

static ovk_err verbs_wait(ovk_sum *sum)
{
  request *r = sum->request;
  return verbs_report(r, ovk__job_wait(r->verbs->ctx, r->verbs->engine->spins, &r->job));
}

const ovk_backend_ops ovk__backend_verbs = {
    .name = "verbs",
    .summary = "schedules over RDMA, by InfiniBand or RoCE",
    .keys = options,
    .begins_at_once = true,
    .begin = verbs_begin,
    .test = verbs_test,
    .open = verbs_open,
    .close = verbs_close,
    .prepare = verbs_prepare,
    .release = verbs_release,
    .wait = verbs_wait,
};
