/* SPDX-License-Identifier: BSD-2-Clause */
/* Front end of the preconditioners: finds one by its spec, creates and destroys it. */
#include "core/abi_struct.h"
#include "core/context/agree.h"
#include "core/registry.h"
#include "precond/precond_impl.h"
#include "precond/precond_list.h"

#include <stdlib.h>

#define OVK_DECLARE_PRECOND(ops) extern const ovk_precond_ops ops;
OVK_PRECOND_LIST(OVK_DECLARE_PRECOND)
#undef OVK_DECLARE_PRECOND

static const void *const preconds[] = {
#define OVK_PRECOND_ENTRY(ops) &ops,
    OVK_PRECOND_LIST(OVK_PRECOND_ENTRY)
#undef OVK_PRECOND_ENTRY
};

static ovk_choice precond_choice(const void *ops)
{
  const ovk_precond_ops *p = ops;
  return (ovk_choice){.name = p->name,
                      .summary = p->summary,
                      .keys = p->keys,
                      .aliases = p->aliases,
                      .columns = p->apply_many != NULL};
}

#define OVK_HYPRE "of libovkhypre: link that library and call ovk_hypre_register(ctx) first"
static const char *const absent[][2] = {
    {"boomeramg", "it is a preconditioner " OVK_HYPRE},
    {NULL},
};
#undef OVK_HYPRE

static const ovk__kind kind = {.name = "preconditioner",
                               .builtins = preconds,
                               .nbuiltins = sizeof preconds / sizeof *preconds,
                               .choice = precond_choice,
                               .size = sizeof(ovk_precond_ops),
                               .absent = absent};

bool ovk_list_preconds(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

/* *own <- a user's table, checked */
static ovk_err precond_take_ops(ovk_ctx *ctx, const ovk_precond_ops *ops, ovk_precond_ops *own)
{
  *own = (ovk_precond_ops){0};
  if (ops) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_precond_ops, inverse_diagonal, ops, own));
  OVK_CHECK(own->apply, ctx, OVK_ERR_ARG, "a preconditioner needs an apply function");
  const int factors =
      (own->factor != NULL) + (own->apply_left != NULL) + (own->apply_right != NULL);
  OVK_CHECK(factors == 0 || factors == 3, ctx, OVK_ERR_ARG,
            "a preconditioner needs factor, apply_left and apply_right together, or none of them");
  OVK_CHECK(factors || !own->apply_split, ctx, OVK_ERR_ARG,
            "a preconditioner with apply_split needs factors");
  return OVK_OK;
}

ovk_err ovk_precond_register(ovk_ctx *ctx, const ovk_precond_ops *ops, void *user)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk_precond_ops own;
  OVK_TRY(precond_take_ops(ctx, ops, &own));
  return ovk__registry_add(ctx, &kind, &own, user);
}

static void precond_free(void *self)
{
  ovk_precond *M = self;
  if (M->set_up) ovk__precond_tear_down(M, M->state);
  ovk_spec_destroy(&M->spec);
  ovk__release(M->A);
  free(M->column);
  free(M);
}

/* *out <- one without a spec and functions */
static ovk_err precond_make(ovk_mat *A, ovk_precond **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_TRY(ovk__mat_check_ready(A));
  ovk_precond *M = calloc(1, sizeof *M);
  OVK_CHECK(M, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  *M = (ovk_precond){.object = ovk__object_new(ctx, precond_free), .A = ovk__hold(A)};
  *out = M;
  return OVK_OK;
}

static ovk_err precond_make_of_spec(ovk_mat *A, const char *text, ovk_precond **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_TRY(precond_make(A, out));
  OVK_CHECK(text, ctx, OVK_ERR_ARG, "spec is NULL");
  const void *ops;
  OVK_TRY(ovk__registry_parse(ctx, &kind, text, &(*out)->spec, &ops, &(*out)->user));
  (*out)->ops = ops;
  return OVK_OK;
}

static ovk_err precond_make_of_ops(ovk_mat *A, const ovk_precond_ops *ops, void *user,
                                   ovk_precond **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_TRY(precond_make(A, out));
  ovk_precond *M = *out;
  OVK_TRY(precond_take_ops(ctx, ops, &M->own_ops));
  OVK_CHECK(M->own_ops.name && M->own_ops.name[0], ctx, OVK_ERR_ARG,
            "a preconditioner needs a name");
  M->ops = &M->own_ops;
  M->user = user;
  return ovk_spec_parse(ctx, M->ops->name, &M->spec);
}

/* The rest of creating one, after this rank has made it, or failed to. */
static ovk_err precond_finish(ovk_ctx *ctx, ovk_err made, double start, ovk_precond **out)
{
  ovk_err err = ovk__agree(ctx, made);
  if (!err) err = ovk__precond_set_up(*out, start);
  if (err && out) ovk_precond_destroy(out);
  return err;
}

ovk_err ovk_precond_create(ovk_mat *A, const char *spec, ovk_precond **out)
{
  if (!A) return OVK_ERR_ARG;
  const double start = ovk__log_now(&A->ctx->log);
  return precond_finish(ovk_mat_ctx(A), precond_make_of_spec(A, spec, out), start, out);
}

ovk_err ovk_precond_create_from_ops(ovk_mat *A, const ovk_precond_ops *ops, void *user,
                                    ovk_precond **out)
{
  if (!A) return OVK_ERR_ARG;
  const double start = ovk__log_now(&A->ctx->log);
  return precond_finish(ovk_mat_ctx(A), precond_make_of_ops(A, ops, user, out), start, out);
}

void ovk_precond_destroy(ovk_precond **M)
{
  OVK_GIVE_UP(M);
}

const char *ovk_precond_name(const ovk_precond *M)
{
  return M ? M->ops->name : "";
}

int64_t ovk_precond_bytes(const ovk_precond *M)
{
  return M ? M->bytes : 0;
}

const char *ovk_precond_info(const ovk_precond *M)
{
  return M ? M->info : "";
}

void ovk_precond_view(const ovk_precond *M, void *file)
{
  if (M && M->set_up && M->ops->view && file) M->ops->view(M->state, file);
}

ovk_err ovk__precond_check_ready(const ovk_precond *M)
{
  OVK_CHECK(!M->unusable, M->ctx, OVK_ERR_STATE,
            "the last update of preconditioner '%s' failed: it cannot be used", M->ops->name);
  return OVK_OK;
}
