/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding and opening reduction backends by spec. */
#include "backends/open.h"
#include "backends/backend_list.h"
#include "backends/choose.h"
#include "core/check.h"
#include "core/registry.h"

#include <stdlib.h>
#include <string.h>

#define OVK_DECLARE_BACKEND(ops) extern const ovk_backend_ops ops;
OVK_BACKEND_LIST(OVK_DECLARE_BACKEND)
#undef OVK_DECLARE_BACKEND

static const void *const backends[] = {
#define OVK_BACKEND_ENTRY(ops) &ops,
    OVK_BACKEND_LIST(OVK_BACKEND_ENTRY)
#undef OVK_BACKEND_ENTRY
};

static ovk_choice choice(const void *ops)
{
  const ovk_backend_ops *b = ops;
  return (ovk_choice){b->name, b->summary, b->keys, b->decorates};
}

static const ovk__kind kind = {"backend", backends, sizeof backends / sizeof *backends, choice};

/* Marks opened backends among the context's resources. */
static const char opened_mark;

bool ovk_list_backends(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

ovk_err ovk_backend_register(ovk_ctx *ctx, const ovk_backend_ops *ops, void *user)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_CHECK(ops && ops->begin && ops->test, ctx, OVK_ERR_ARG,
            "a backend needs the functions begin and test");
  return ovk__registry_add(ctx, &kind, ops, user);
}

ovk_err ovk__backend_parse(ovk_ctx *ctx, const char *text, ovk_spec **spec,
                           const ovk_backend_ops **ops)
{
  const void *found = NULL;
  const ovk_err err = ovk__registry_parse(ctx, &kind, text, spec, &found, NULL);
  *ops = found;
  return err;
}

static void close_opened(ovk__resource *self)
{
  ovk__opened *o = (ovk__opened *)self;
  if (o->open && o->ops->close) o->ops->close(&o->backend);
  if (o->backend.comm != MPI_COMM_NULL) MPI_Comm_free(&o->backend.comm);
  if (o->inner) close_opened(&o->inner->resource);
  ovk_spec_destroy(&o->spec);
  free(o);
}

/* Where the last part of a spec starts, the one that is no decorator. */
static size_t last_part(const char *spec)
{
  const char *bar = strrchr(spec, '|');
  return bar ? (size_t)(bar + 1 - spec) : 0;
}

static bool is_auto(const char *spec)
{
  return strcmp(spec + last_part(spec), ovk__backend_auto.name) == 0;
}

/* "auto" stands for the last part of what it became; the decorators must be the same. */
static bool is_opened_as(const ovk__opened *o, const char *spec)
{
  const char *text = ovk_spec_text(o->spec);
  if (strcmp(text, spec) == 0) return true;
  const size_t last = last_part(spec);
  return o->chosen && is_auto(spec) && last_part(text) == last && strncmp(text, spec, last) == 0;
}

static ovk__opened *find_opened(const ovk_ctx *ctx, const char *spec)
{
  for (ovk__resource *r = ctx->resources; r; r = r->next) {
    if (r->owner != &opened_mark) continue;
    ovk__opened *o = (ovk__opened *)r;
    if (is_opened_as(o, spec)) return o;
  }
  return NULL;
}

static ovk_err make(ovk_ctx *ctx, const char *text, ovk__opened **out)
{
  ovk__opened *o = calloc(1, sizeof *o);
  OVK_CHECK(o, ctx, OVK_ERR_MEMORY, "no memory for backend '%s'", text);
  *out = o;
  o->resource = (ovk__resource){NULL, &opened_mark, close_opened};
  o->backend.ctx = ctx;
  o->backend.comm = MPI_COMM_NULL;
  const void *ops;
  OVK_TRY(ovk__registry_parse(ctx, &kind, text, &o->spec, &ops, &o->backend.user));
  o->ops = ops;
  o->backend.spec = o->spec;
  return OVK_OK;
}

static ovk_err open_on_all(ovk__opened *o)
{
  ovk_ctx *ctx = o->backend.ctx;
  OVK_TRY_MPI(ctx, MPI_Comm_dup(ctx->comm, &o->backend.comm));
  OVK_TRY_MPI(ctx, MPI_Comm_set_errhandler(o->backend.comm, MPI_ERRORS_RETURN));
  ovk_err err = OVK_OK;
  if (o->ops->open) {
    ovk__forget(ctx);
    err = ovk__user_failed(ctx, o->ops->open(&o->backend), "the backend's open");
  }
  o->open = !err;
  return ovk__agree(ctx, err);
}

/* A decorator's inner backend is opened first. It is not shared with others of the same spec: ranks
 * begin sums in the same order only where these belong to one backend. */
static ovk_err open_new(ovk_ctx *ctx, const char *spec, ovk__opened **out)
{
  ovk_err err = ovk__agree(ctx, make(ctx, spec, out));
  const ovk_spec *inner = err ? NULL : ovk_spec_inner((*out)->spec);
  if (inner) err = open_new(ctx, ovk_spec_text(inner), &(*out)->inner);
  if (!err) err = open_on_all(*out);
  if (err && *out) {
    close_opened(&(*out)->resource);
    *out = NULL;
  }
  return err;
}

/* *out <- the spec with what "auto" at its end stands for; to be freed. Collective. */
static ovk_err replace_auto(ovk_ctx *ctx, const char *spec, char **out)
{
  const char *chosen = NULL;
  OVK_TRY(ovk__backend_choose(ctx, &chosen));
  const size_t before = last_part(spec), length = strlen(chosen);
  char *text = malloc(before + length + 1);
  const ovk_err err =
      ovk__agree(ctx, text ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a spec"));
  if (err) {
    free(text);
    return err;
  }
  memcpy(text, spec, before);
  memcpy(text + before, chosen, length + 1);
  *out = text;
  return OVK_OK;
}

/* As find_opened(), opened now if there is none. */
static ovk_err find_or_open(ovk_ctx *ctx, const char *spec, ovk__opened **out)
{
  *out = find_opened(ctx, spec);
  if (*out) return OVK_OK;
  OVK_TRY(open_new(ctx, spec, out));
  ovk__ctx_own(ctx, &(*out)->resource);
  return OVK_OK;
}

ovk_err ovk__backend_open(ovk_ctx *ctx, const char *spec, ovk__opened **out)
{
  if (!spec) spec = ctx->env.backend ? ctx->env.backend : ovk__backend_auto.name;
  OVK_TRY(ovk__agree_same(ctx, "backends", spec));
  *out = find_opened(ctx, spec);
  if (*out) return OVK_OK;
  if (!is_auto(spec)) return find_or_open(ctx, spec, out);
  char *text = NULL;
  OVK_TRY(replace_auto(ctx, spec, &text));
  const ovk_err err = find_or_open(ctx, text, out);
  free(text);
  if (!err) (*out)->chosen = true;
  return err;
}
