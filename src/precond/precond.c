/* SPDX-License-Identifier: BSD-2-Clause */
/* Front end of the preconditioners: finds one by its spec and checks what goes into it. */
#include "core/check.h"
#include "core/registry.h"
#include "matrix/vec_impl.h"
#include "precond/precond_impl.h"
#include "precond/precond_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OVK_DECLARE_PRECOND(ops) extern const ovk_precond_ops ops;
OVK_PRECOND_LIST(OVK_DECLARE_PRECOND)
#undef OVK_DECLARE_PRECOND

static const void *const preconds[] = {
#define OVK_PRECOND_ENTRY(ops) &ops,
    OVK_PRECOND_LIST(OVK_PRECOND_ENTRY)
#undef OVK_PRECOND_ENTRY
};

static ovk_choice choice(const void *ops)
{
  const ovk_precond_ops *p = ops;
  return (ovk_choice){p->name, p->summary, p->keys, false};
}

static const ovk__kind kind = {"preconditioner", preconds, sizeof preconds / sizeof *preconds,
                               choice};

bool ovk_list_preconds(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

ovk_err ovk_precond_register(ovk_ctx *ctx, const ovk_precond_ops *ops, void *user)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_CHECK(ops && ops->apply, ctx, OVK_ERR_ARG, "a preconditioner needs an apply function");
  const int factors =
      (ops->factor != NULL) + (ops->apply_left != NULL) + (ops->apply_right != NULL);
  OVK_CHECK(factors == 0 || factors == 3, ctx, OVK_ERR_ARG,
            "a preconditioner has factor, apply_left and apply_right together or not at all");
  return ovk__registry_add(ctx, &kind, ops, user);
}

static ovk_err make(const ovk_mat *A, const char *text, ovk_precond **out, ovk_spec **spec,
                    void **user)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK(text, ctx, OVK_ERR_ARG, "spec is NULL");
  OVK_TRY(ovk__mat_check_ready(A));
  const void *ops;
  OVK_TRY(ovk__registry_parse(ctx, &kind, text, spec, &ops, user));
  ovk_precond *M = malloc(sizeof *M);
  OVK_CHECK(M, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  *M = (ovk_precond){.ctx = ctx, .A = A, .ops = ops};
  *out = M;
  return OVK_OK;
}

static ovk_err set_up(ovk_precond *M, const ovk_spec *spec, void *user)
{
  M->state = user;
  if (!M->ops->setup) return OVK_OK;
  ovk__forget(M->ctx);
  const ovk_err err = M->ops->setup(M->A, spec, user, &M->state);
  M->set_up = !err;
  return ovk__user_failed(M->ctx, err, "the preconditioner's setup");
}

ovk_err ovk_precond_create(const ovk_mat *A, const char *spec, ovk_precond **out)
{
  if (!A) return OVK_ERR_ARG;
  ovk_ctx *ctx = ovk_mat_ctx(A);
  ovk_spec *parsed = NULL;
  void *user = NULL;
  ovk_err err = ovk__agree(ctx, make(A, spec, out, &parsed, &user));
  if (!err) err = ovk__agree_same(ctx, "preconditioners", spec);
  if (!err) err = ovk__agree(ctx, set_up(*out, parsed, user));
  ovk_spec_destroy(&parsed);
  if (err && out) ovk_precond_destroy(out);
  return err;
}

void ovk_precond_destroy(ovk_precond **M)
{
  if (!M || !*M) return;
  if ((*M)->set_up && (*M)->ops->destroy) (*M)->ops->destroy((*M)->state);
  free(*M);
  *M = NULL;
}

const char *ovk_precond_name(const ovk_precond *M)
{
  return M->ops->name;
}

static ovk_err factor(ovk_precond *M)
{
  OVK_CHECK(M->ops->factor, M->ctx, OVK_ERR_UNSUPPORTED,
            "preconditioner '%s' has no factors C = L L^T", M->ops->name);
  ovk__forget(M->ctx);
  return ovk__user_failed(M->ctx, M->ops->factor(M->state), "the preconditioner's factor");
}

ovk_err ovk_precond_factor(ovk_precond *M)
{
  if (!M) return OVK_ERR_ARG;
  if (!M->tried_to_factor) {
    M->tried_to_factor = true;
    M->factor_err = ovk__agree(M->ctx, factor(M));
    snprintf(M->factor_why, sizeof M->factor_why, "%s", M->factor_err ? M->ctx->message : "");
  } else if (M->factor_err) {
    ovk__say(M->ctx, "%s", M->factor_why);
  }
  return M->factor_err;
}

static ovk_err call(const ovk_precond *M,
                    ovk_err (*apply)(void *, const double *, double *, ovk_poll), const ovk_vec *in,
                    ovk_vec *out, ovk_poll poll, const char *what)
{
  ovk__forget(M->ctx);
  return ovk__user_failed(M->ctx, apply(M->state, in->array, out->array, poll), what);
}

ovk_err ovk__precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll)
{
  return call(M, M->ops->apply, r, z, poll, "the preconditioner's apply");
}

ovk_err ovk__precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t, ovk_poll poll)
{
  return call(M, M->ops->apply_left, r, t, poll, "the preconditioner's apply_left");
}

ovk_err ovk__precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w, ovk_poll poll)
{
  return call(M, M->ops->apply_right, t, w, poll, "the preconditioner's apply_right");
}

ovk__diagonal ovk__precond_inverse_diagonal(const ovk_precond *M)
{
  static const double one = 1;
  if (M->ops == &ovk__precond_none) return (ovk__diagonal){&one, true};
  const double *d = M->ops->inverse_diagonal ? M->ops->inverse_diagonal(M->state) : NULL;
  const ovk_lidx n = M->A->layout.local;
  const bool constant = d && n > 0 && !memcmp(d, d + 1, (size_t)(n - 1) * sizeof *d);
  return (ovk__diagonal){d, constant};
}

static ovk_err check(const ovk_precond *M, const ovk_vec *in, const ovk_vec *out, bool factors)
{
  OVK_CHECK(in && out, M->ctx, OVK_ERR_ARG, "a vector is NULL");
  OVK_TRY(ovk__mat_check_vec(M->A, in, "the input"));
  OVK_TRY(ovk__mat_check_vec(M->A, out, "the output"));
  OVK_CHECK(in != out && !ovk__vec_overlap(in, out), M->ctx, OVK_ERR_ARG,
            "input and output are the same vector");
  OVK_CHECK(!factors || (M->tried_to_factor && !M->factor_err), M->ctx, OVK_ERR_STATE,
            "the factors of a preconditioner are there after ovk_precond_factor() only");
  return OVK_OK;
}

ovk_err ovk_precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll)
{
  if (!M) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(M->ctx, check(M, r, z, false)));
  return ovk__agree(M->ctx, ovk__precond_apply(M, r, z, poll));
}

ovk_err ovk_precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t, ovk_poll poll)
{
  if (!M) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(M->ctx, check(M, r, t, true)));
  return ovk__agree(M->ctx, ovk__precond_apply_left(M, r, t, poll));
}

ovk_err ovk_precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w, ovk_poll poll)
{
  if (!M) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(M->ctx, check(M, t, w, true)));
  return ovk__agree(M->ctx, ovk__precond_apply_right(M, t, w, poll));
}
