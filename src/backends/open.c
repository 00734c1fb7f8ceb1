/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens reduction backends by spec. */
#include "backends/open.h"
#include "backends/choose.h"
#include "backends/named.h"
#include "core/base/did_you_mean.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Identifies opened backends among the context's resources. */
static const char opened_mark;

/* False if a reduction in flight cannot be completed: then the backend must not be freed. */
static bool free_check_mode(ovk__opened *checked)
{
  if (checked->open) ovk__check_mode.close(&checked->backend);
  const bool stuck = checked->stuck;
  free(checked);
  return !stuck;
}

static void close_opened(ovk__resource *self)
{
  ovk__opened *o = (ovk__opened *)self;
  if (o->checked && !free_check_mode(o->checked)) return;
  if (o->open && o->ops->close) o->ops->close(&o->backend);
  ovk__comm_free(&o->backend.comm);
  if (o->inner) close_opened(&o->inner->resource);
  if (o->companion) close_opened(&o->companion->resource);
  ovk_spec_destroy(&o->spec);
  free(o);
}

/* The start of the last component of a spec, the one that is not a decorator. */
static size_t last_component(const char *spec)
{
  const char *bar = strrchr(spec, '|');
  return bar ? (size_t)(bar + 1 - spec) : 0;
}

static bool is_auto(const char *spec)
{
  return ovk__is_named(spec + last_component(spec), ovk__backend_auto.name);
}

/* An opened backend matches "auto" if "auto" has selected it; decorators must be the same. */
static bool is_opened_as(const ovk__opened *o, const char *spec, bool silent)
{
  const char *text = ovk_spec_text(o->spec);
  if (strcmp(text, spec) == 0) return true;
  const size_t last = last_component(spec);
  return (o->chosen & 1u << silent) && is_auto(spec) && last_component(text) == last &&
         strncmp(text, spec, last) == 0;
}

static ovk__opened *find_opened(const ovk_ctx *ctx, const char *spec, bool silent)
{
  for (ovk__resource *r = ctx->resources; r; r = r->next) {
    if (r->owner != &opened_mark) continue;
    ovk__opened *o = (ovk__opened *)r;
    if (is_opened_as(o, spec, silent)) return o;
  }
  return NULL;
}

static ovk_err new_opened(ovk_ctx *ctx, ovk__opened **out)
{
  OVK_NEW_AT(ctx, *out, ovk__opened, backend);
  return OVK_OK;
}

static ovk_err create_opened(ovk_ctx *ctx, const char *text, ovk__opened **out)
{
  OVK_TRY(new_opened(ctx, out));
  ovk__opened *o = *out;
  o->resource = (ovk__resource){NULL, &opened_mark, close_opened};
  o->backend.ctx = ctx;
  o->backend.comm = MPI_COMM_NULL;
  OVK_TRY(ovk__backend_parse(ctx, text, &o->spec, &o->ops, &o->backend.user));
  o->backend.spec = o->spec;
  return OVK_OK;
}

static ovk_err duplicate_comm(ovk__opened *o)
{
  ovk_ctx *ctx = o->backend.ctx;
  OVK_TRY_MPI(ctx, MPI_Comm_dup(ctx->comm, &o->backend.comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(o->backend.comm, MPI_ERRORS_RETURN));
  return OVK_OK;
}

static ovk_err open_on_all(ovk__opened *o)
{
  ovk_ctx *ctx = o->backend.ctx;
  if (!o->ops->needs_no_comm) OVK_TRY(duplicate_comm(o));
  ovk_err err = OVK_OK;
  if (o->ops->open) {
    const unsigned before = ctx->message_count;
    ctx->in_backend++;
    err = ovk__user_failed(ctx, before, o->ops->open(&o->backend), "the backend's open");
    ctx->in_backend--;
  }
  o->open = !err;
  return ovk__agree(ctx, err);
}

/* A decorator's inner backend is opened first. It is not shared with other users of the same spec:
 * ranks begin reductions in the same order only within one backend. */
static ovk_err open_new(ovk_ctx *ctx, const char *spec, ovk__opened **out)
{
  ovk_err err = ovk__agree(ctx, create_opened(ctx, spec, out));
  const ovk_spec *inner = err ? NULL : ovk_spec_inner((*out)->spec);
  if (inner) err = open_new(ctx, ovk_spec_text(inner), &(*out)->inner);
  if (!err) err = open_on_all(*out);
  if (err && *out) {
    close_opened(&(*out)->resource);
    *out = NULL;
  }
  return err;
}

ovk_err ovk__backend_check_mode(ovk__opened **opened)
{
  ovk__opened *o = *opened;
  ovk_ctx *ctx = o->backend.ctx;
  if (!o->checked) {
    ovk__opened *w = NULL;
    ovk_err err = ovk__agree(ctx, new_opened(ctx, &w));
    if (err) {
      free(w); /* another rank failed to allocate */
      return err;
    }
    *w = (ovk__opened){.ops = &ovk__check_mode, .inner = o};
    w->backend = (ovk_backend){.ctx = ctx, .comm = MPI_COMM_NULL, .spec = o->spec};
    err = ovk__check_mode.open(&w->backend); /* agreed */
    if (err) {
      free(w);
      return err;
    }
    w->open = true;
    o->checked = w;
  }
  *opened = o->checked;
  return OVK_OK;
}

/* *out <- the spec with its last component replaced; to be freed. Collective; errors are agreed. */
static ovk_err replace_last(ovk_ctx *ctx, const char *spec, const char *last, char **out)
{
  const size_t before = last_component(spec), length = strlen(last);
  char *text = malloc(before + length + 1);
  const ovk_err err =
      ovk__agree(ctx, text ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a spec"));
  if (err) {
    free(text);
    return err;
  }
  memcpy(text, spec, before);
  memcpy(text + before, last, length + 1);
  *out = text;
  return OVK_OK;
}

/* The same, with the backend that "auto" selects as the last component. */
static ovk_err replace_auto(ovk_ctx *ctx, const char *spec, bool silent, int count, char **out)
{
  const char *chosen = NULL;
  OVK_TRY(ovk__backend_choose(ctx, silent, count, &chosen));
  return replace_last(ctx, spec, chosen, out);
}

ovk_err ovk_backend_open_companion(ovk_backend *backend, const char *spec)
{
  ovk_ctx *ctx = backend->ctx;
  ovk__opened *o = ovk__opened_of(backend);
  char *text = NULL;
  OVK_CHECK(!o->companion, ctx, OVK_ERR_STATE, "'%s' has a companion already", o->ops->name);
  if (is_auto(spec)) OVK_TRY(replace_auto(ctx, spec, false, 1, &text));
  const ovk_err err = open_new(ctx, text ? text : spec, &o->companion);
  free(text);
  return err;
}

/* As find_opened(), but opens the backend if there is none. */
static ovk_err find_or_open(ovk_ctx *ctx, const char *spec, ovk__opened **out)
{
  *out = find_opened(ctx, spec, false);
  if (*out) return OVK_OK;
  OVK_TRY(open_new(ctx, spec, out));
  ovk__ctx_own(ctx, &(*out)->resource);
  return OVK_OK;
}

static ovk_err open_named(ovk_ctx *ctx, const char *spec, bool silent, int count, ovk__opened **out)
{
  OVK_TRY(ovk__agree_same(ctx, "backends", spec));
  if (!is_auto(spec)) return find_or_open(ctx, spec, out);
  /* by a table "auto" is another backend for other counts */
  *out = ctx->env.tuning ? NULL : find_opened(ctx, spec, silent);
  if (*out) return OVK_OK;
  char *text = NULL;
  OVK_TRY(replace_auto(ctx, spec, silent, count, &text));
  const ovk_err err = find_or_open(ctx, text, out);
  free(text);
  if (!err) (*out)->chosen |= 1u << silent;
  return err;
}

ovk_err ovk__backend_open(ovk_ctx *ctx, const char *spec, bool silent, int count, ovk__opened **out)
{
  if (spec) return open_named(ctx, spec, silent, count, out);
  if (!ctx->env.backend) return open_named(ctx, ovk__backend_auto.name, silent, count, out);
  return ovk__env_name_variable(ctx, open_named(ctx, ctx->env.backend, silent, count, out),
                                "OVK_BACKEND");
}

ovk_err ovk__backend_next(ovk_ctx *ctx, const ovk__opened *opened, ovk__opened **next)
{
  *next = NULL;
  if (!opened->chosen) return OVK_OK;
  const char *spec = ovk_spec_text(opened->spec);
  const char *last = ovk__backend_without_shm(spec + last_component(spec));
  if (!last) return OVK_OK;
  char *text = NULL;
  OVK_TRY(replace_last(ctx, spec, last, &text));
  const ovk_err err = find_or_open(ctx, text, next);
  free(text);
  return err;
}

void ovk__backend_replace(ovk__opened *opened, ovk__opened *next, const char *why)
{
  next->chosen |= opened->chosen;
  opened->chosen = 0;
  ovk__notify(opened->backend.ctx, "auto is '%s' from now on, not '%s': %s",
              ovk_spec_text(next->spec), ovk_spec_text(opened->spec), why);
}
