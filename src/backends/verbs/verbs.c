/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "verbs": sums over an adapter with remote memory access, in one of two modes. */
#include "backends/verbs/verbs.h"
#include "core/mem.h"
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {OVK__SHAPE_KEYS, OVK__ENDPOINT_KEYS, "mode", "fallback", NULL};

static const ovk__mode *const modes[] = {&ovk__mode_write, &ovk__mode_atomic};

/* What a sum's request points to. */
typedef struct request {
  ovk__verbs *verbs;
  ovk__record *record;
  void *own; /* the mode's; NULL: it goes over the other backend from the beginning */
  ovk_err failed;
  ovk__job job;
} request;

static ovk_err find_mode(ovk_ctx *ctx, const ovk_spec *spec, const ovk__mode **out)
{
  const char *name = ovk_spec_string(spec, "mode", modes[0]->name);
  size_t k = 0;
  while (k < sizeof modes / sizeof *modes && strcmp(modes[k]->name, name) != 0) k++;
  OVK_CHECK(k < sizeof modes / sizeof *modes, ctx, OVK_ERR_ARG, "'%s': mode is %s or %s, not '%s'",
            ovk_spec_name(spec), modes[0]->name, modes[1]->name, name);
  *out = modes[k];
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

/* What this rank does alone. */
static ovk_err make(ovk_backend *backend)
{
  ovk__verbs *v = backend->state = calloc(1, sizeof *v);
  OVK_CHECK(v, backend->ctx, OVK_ERR_MEMORY, "no memory for a backend");
  v->ctx = backend->ctx;
  v->comm = backend->comm;
  v->spec = backend->spec;
  OVK_TRY(find_mode(v->ctx, v->spec, &v->mode));
  OVK_TRY(copy_fallback(v));
  OVK_TRY(v->mode->read(v));
  return ovk__endpoint_open(v->ctx, v->comm, v->spec, &v->endpoint);
}

static ovk_err open_together(ovk__verbs *v)
{
  enum { PATIENCE = 60 }; /* seconds that a rank may be away from the library */
  OVK_TRY(ovk__engine_open(v->ctx, v->comm, &v->engine));
  ovk__engine_use(v->engine, v->endpoint);
  const double timeout = ovk__endpoint_timeout(v->endpoint) / 2;
  const ovk_err opened = v->mode->open(v);
  const ovk_err err =
      ovk__recovery_open(v->ctx, v->comm, v->engine,
                         timeout > 0 && timeout < PATIENCE ? timeout : PATIENCE, &v->recovery);
  return opened ? opened : err;
}

static void close_backend(ovk_backend *backend)
{
  ovk__verbs *v = backend->state;
  if (!v) return;
  ovk__recovery_close(&v->recovery);
  if (v->engine) v->mode->close(v);
  ovk__plans_free(&v->plans);
  ovk__engine_close(&v->engine);
  ovk__endpoint_close(&v->endpoint);
  free(v->fallback);
  free(v);
}

/* Closing takes all ranks, so they agree in here on what is open. */
static ovk_err open_backend(ovk_backend *backend)
{
  ovk_err err = ovk__agree(backend->ctx, make(backend));
  if (!err) err = ovk__agree(backend->ctx, open_together(backend->state));
  if (err) close_backend(backend);
  return err;
}

static void release(ovk_sum *sum)
{
  request *r = sum->request;
  if (!r) return;
  r->verbs->mode->release(r->own);
  if (r->record) ovk__recovery_remove(r->verbs->recovery, r->record);
  free(r);
}

/* After a failure somewhere, sums are not made for the adapter any more, on any rank. */
static ovk_err has_failed(const ovk__verbs *v, bool *failed)
{
  int some = ovk__endpoint_failed(v->endpoint);
  *failed = true;
  OVK_TRY_MPI(v->ctx, MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, v->comm));
  *failed = some;
  return OVK_OK;
}

/* Why this rank cannot go on over the adapter. */
static const char *why(const request *r)
{
  if (ovk__endpoint_failed(r->verbs->endpoint)) return ovk__endpoint_why(r->verbs->endpoint);
  return r->own ? "MPI failed within a sum" : "the network has failed before";
}

/* Moves a sum on: over the adapter while that works, then with the recovery. */
static int advance(void *self, bool *complete)
{
  request *r = self;
  ovk__verbs *v = r->verbs;
  *complete = r->record->completed == r->record->begun;
  if (*complete || r->failed) return r->failed ? OVK__NETWORK_FAILED : MPI_SUCCESS;
  ovk__phase phase = ovk__recovery_look(v->recovery);
  if (phase == OVK__SOUND) {
    const int code = r->own ? v->mode->advance(r->own, complete) : OVK__NETWORK_FAILED;
    if (*complete) ovk__recovery_completed(r->record);
    if (!code) return code;
    ovk__recovery_enter(v->recovery, why(r));
    phase = ovk__recovery_look(v->recovery);
  }
  if (phase == OVK__RECOVERING) return MPI_SUCCESS;
  r->failed = ovk__recovery_settle(v->recovery, r->record, complete);
  return r->failed ? OVK__NETWORK_FAILED : MPI_SUCCESS;
}

static ovk_err prepare_own(ovk__verbs *v, ovk_sum *sum, ovk_err err, void **own)
{
  bool failed;
  OVK_TRY(has_failed(v, &failed));
  if (!failed) return v->mode->prepare(v, sum, err != OVK_OK, own);
  if (v->fallback) return OVK_OK;
  return OVK_FAIL(v->ctx, OVK_ERR_NETWORK, "%s",
                  ovk__endpoint_failed(v->endpoint) ? ovk__endpoint_why(v->endpoint)
                                                    : "the network has failed on other ranks");
}

static ovk_err prepare(ovk_sum *sum)
{
  ovk__verbs *v = sum->backend->state;
  ovk_reduction *substitute = NULL;
  void *own = NULL;
  if (v->fallback) OVK_TRY(ovk_reduction_create(v->ctx, v->fallback, sum->count, &substitute));
  request *r = sum->request = calloc(1, sizeof *r);
  ovk_err err = r ? OVK_OK : OVK_FAIL(v->ctx, OVK_ERR_MEMORY, "no memory for a reduction");
  if (r) {
    r->verbs = v;
    r->job = (ovk__job){.advance = advance, .self = r};
    err = ovk__recovery_add(v->recovery, sum, substitute, &r->record);
  }
  if (err) ovk_reduction_destroy(&substitute);
  const ovk_err made = prepare_own(v, sum, err, &own);
  if (!err) err = made;
  if (r) r->own = own;
  if (err) release(sum);
  return err;
}

/* Failures show in wait, on all ranks alike: where one learns of a failure here, another does so
 * only there, and what a method does in between takes both. */
static ovk_err begin(ovk_sum *sum)
{
  request *r = sum->request;
  ovk__verbs *v = r->verbs;
  r->failed = ovk__recovery_begun(v->recovery, r->record);
  if (ovk__recovery_look(v->recovery) == OVK__SOUND &&
      (!r->own || v->mode->start(r->own) != MPI_SUCCESS)) {
    ovk__recovery_enter(v->recovery, why(r));
  }
  ovk__job_enter(v->ctx, &r->job);
  return OVK_OK;
}

/* The sentence for what a job returned. */
static ovk_err tell(const request *r, int code)
{
  if (code == MPI_SUCCESS) return OVK_OK;
  bool complete;
  return ovk__recovery_settle(r->verbs->recovery, r->record, &complete);
}

static ovk_err test(ovk_sum *sum, bool *complete)
{
  request *r = sum->request;
  return tell(r, ovk__job_test(r->verbs->ctx, &r->job, complete));
}

static ovk_err wait(ovk_sum *sum)
{
  request *r = sum->request;
  return tell(r, ovk__job_wait(r->verbs->ctx, r->verbs->engine->spins, &r->job));
}

const ovk_backend_ops ovk__backend_verbs = {
    .name = "verbs",
    .summary =
        "remote memory access over InfiniBand or RoCE; mode=write|atomic, alg=..., levels=...",
    .keys = keys,
    .begin = begin,
    .test = test,
    .open = open_backend,
    .close = close_backend,
    .prepare = prepare,
    .release = release,
    .wait = wait,
};
