/* SPDX-License-Identifier: BSD-2-Clause */
/* Front end of the preconditioners: finds one by its spec and checks its arguments. */
#include "base/sized.h"
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
                               choice, sizeof(ovk_precond_ops)};

bool ovk_list_preconds(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

ovk_err ovk_precond_register(ovk_ctx *ctx, const ovk_precond_ops *ops, void *user)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk_precond_ops own = {0};
  if (ops) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_precond_ops, inverse_diagonal, ops, &own));
  OVK_CHECK(own.apply, ctx, OVK_ERR_ARG, "a preconditioner needs an apply function");
  const int factors = (own.factor != NULL) + (own.apply_left != NULL) + (own.apply_right != NULL);
  OVK_CHECK(factors == 0 || factors == 3, ctx, OVK_ERR_ARG,
            "a preconditioner has factor, apply_left and apply_right together or not at all");
  return ovk__registry_add(ctx, &kind, &own, user);
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
  *M = (ovk_precond){.ctx = ctx, .A = ovk__mat_hold(A), .references = 1, .ops = ops};
  *out = M;
  return OVK_OK;
}

static ovk_err set_up(ovk_precond *M, const ovk_spec *spec, void *user)
{
  M->state = user;
  if (!M->ops->setup) return OVK_OK;
  const unsigned before = M->ctx->sentences;
  const ovk_err err = M->ops->setup(M->A, spec, user, &M->state);
  M->set_up = !err;
  return ovk__user_failed(M->ctx, before, err, "the preconditioner's setup");
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

ovk_precond *ovk__precond_hold(ovk_precond *M)
{
  M->references++;
  return M;
}

void ovk_precond_destroy(ovk_precond **M)
{
  if (!M || !*M) return;
  ovk_precond *m = *M;
  *M = NULL;
  if (--m->references > 0) return;
  if (m->set_up && m->ops->destroy) m->ops->destroy(m->state);
  ovk_mat_destroy(&m->A);
  free(m);
}

const char *ovk_precond_name(const ovk_precond *M)
{
  return M->ops->name;
}

static ovk_err factor(ovk_precond *M)
{
  OVK_CHECK(M->ops->factor, M->ctx, OVK_ERR_UNSUPPORTED,
            "preconditioner '%s' has no factors C = L L^T", M->ops->name);
  const unsigned before = M->ctx->sentences;
  const ovk_err err = M->ops->factor(M->state);
  return ovk__user_failed(M->ctx, before, err, "the preconditioner's factor");
}

ovk_err ovk_precond_factor(ovk_precond *M)
{
  if (!M) return OVK_ERR_ARG;
  if (!M->tried_to_factor) {
    M->tried_to_factor = true;
    M->factor_err = ovk__agree(M->ctx, factor(M));
    snprintf(M->factor_why, sizeof M->factor_why, "%s", M->factor_err ? M->ctx->message : "");
  } else if (M->factor_err) {
    ovk__set_message(M->ctx, "%s", M->factor_why);
  }
  return M->factor_err;
}

static ovk_err call(const ovk_precond *M,
                    ovk_err (*apply)(void *, const double *, double *, ovk_poll), const ovk_vec *in,
                    ovk_vec *out, ovk_poll poll, const char *what)
{
  const unsigned before = M->ctx->sentences;
  const ovk_err err = apply(M->state, in->array, out->array, poll);
  return ovk__user_failed(M->ctx, before, err, what);
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

/* C^-1 of this rank's rows; d is NULL if it is not diagonal. The identity on a rank without rows,
 * whose array is not read. */
static ovk__diagonal read_diagonal(const ovk_precond *M)
{
  static const double one = 1;
  if (M->ops == &ovk__precond_none) return (ovk__diagonal){&one, true};
  const double *d = M->ops->inverse_diagonal ? M->ops->inverse_diagonal(M->state) : NULL;
  const ovk_lidx n = M->A->layout.local;
  if (n == 0) return (ovk__diagonal){&one, true};
  return (ovk__diagonal){d, d && !memcmp(d, d + 1, (size_t)(n - 1) * sizeof *d)};
}

ovk_err ovk__precond_kind_of(const ovk_precond *M, ovk__precond_kind *C)
{
  const ovk__diagonal D = read_diagonal(M);
  const int mine = !D.d ? OVK__C_OTHER : D.constant ? OVK__C_CONSTANT : OVK__C_DIAGONAL;
  int greatest;
  OVK_TRY_MPI(M->ctx, MPI_Allreduce(&mine, &greatest, 1, MPI_INT, MPI_MAX, ovk_ctx_comm(M->ctx)));
  *C = (ovk__precond_kind)greatest;
  return OVK_OK;
}

ovk_err ovk__precond_inverse_diagonal(const ovk_precond *M, ovk__precond_kind C, ovk__diagonal *out)
{
  static const double one = 1;
  *out = (ovk__diagonal){0};
  if (C == OVK__C_OTHER) return OVK_OK;
  *out = read_diagonal(M);
  if (out->d) return OVK_OK;
  *out = (ovk__diagonal){&one, true};
  return OVK_FAIL(M->ctx, OVK_ERR_USER,
                  "preconditioner '%s' gives no inverse diagonal, but did when the solver was made",
                  M->ops->name);
}

static ovk_err check(ovk_ctx *ctx, const ovk_precond *M, const ovk_vec *input,
                     const ovk_vec *output, bool factors)
{
  OVK_CHECK_HANDLE(ctx, M);
  OVK_CHECK_HANDLE(ctx, input);
  OVK_CHECK_HANDLE(ctx, output);
  OVK_TRY(ovk__mat_check_vec(M->A, input, "the input"));
  OVK_TRY(ovk__mat_check_vec(M->A, output, "the output"));
  OVK_CHECK(input != output && !ovk__vec_overlap(input, output), ctx, OVK_ERR_ARG,
            "input and output are the same vector or share memory");
  OVK_CHECK(!factors || (M->tried_to_factor && !M->factor_err), M->ctx, OVK_ERR_STATE,
            "the factors of a preconditioner are there after ovk_precond_factor() only");
  return OVK_OK;
}

static ovk_err check_agreed(const ovk_precond *M, const ovk_vec *input, const ovk_vec *output,
                            bool factors)
{
  ovk_ctx *ctx = OVK_ANY_CTX(M, input, output);
  return ctx ? ovk__agree(ctx, check(ctx, M, input, output, factors)) : OVK_ERR_ARG;
}

ovk_err ovk_precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll)
{
  OVK_TRY(check_agreed(M, r, z, false));
  return ovk__agree(M->ctx, ovk__precond_apply(M, r, z, poll));
}

ovk_err ovk_precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t, ovk_poll poll)
{
  OVK_TRY(check_agreed(M, r, t, true));
  return ovk__agree(M->ctx, ovk__precond_apply_left(M, r, t, poll));
}

ovk_err ovk_precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w, ovk_poll poll)
{
  OVK_TRY(check_agreed(M, t, w, true));
  return ovk__agree(M->ctx, ovk__precond_apply_right(M, t, w, poll));
}
