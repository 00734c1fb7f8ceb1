/* SPDX-License-Identifier: BSD-2-Clause */
/* Applications of a preconditioner and of its factors, with and without a check of the arguments.
 */
#include "core/context/agree.h"
#include "matrix/vector/vec_impl.h"
#include "precond/precond_impl.h"

ovk_err ovk__precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll)
{
  return ovk__precond_apply_many(M, 1, r->array, z->array, poll);
}

ovk_err ovk__precond_action(const void *M, const ovk_vec *in, ovk_vec *out)
{
  return ovk__precond_apply(M, in, out, ovk_poll_none());
}

ovk_err ovk__precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t, ovk_poll poll)
{
  OVK_RETURN_USERS(M->ctx, M->ops->apply_left(M->state, r->array, t->array, poll),
                   "the preconditioner's apply_left");
}

ovk_err ovk__precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w, ovk_poll poll)
{
  OVK_RETURN_USERS(M->ctx, M->ops->apply_right(M->state, t->array, w->array, poll),
                   "the preconditioner's apply_right");
}

bool ovk__precond_splits(const ovk_precond *M, const ovk_mat *A)
{
  return M->splits && M->A == A && M->resets == A->resets;
}

ovk_err ovk__precond_apply_split(const ovk_precond *M, const ovk_vec *u, ovk_vec *p, ovk_vec *s,
                                 ovk_vec *q, ovk_poll poll)
{
  OVK_RETURN_USERS(M->ctx,
                   M->ops->apply_split(M->state, u->array, p->array, s->array, q->array, poll),
                   "the preconditioner's apply_split");
}

static ovk_err precond_check(ovk_ctx *ctx, const ovk_precond *M, const ovk_vec *input,
                             const ovk_vec *output, bool factors)
{
  OVK_CHECK_HANDLE(ctx, M);
  OVK_CHECK_HANDLE(ctx, input);
  OVK_CHECK_HANDLE(ctx, output);
  OVK_TRY(ovk__precond_check_ready(M));
  OVK_CHECK_UNUSED(output, "the output");
  OVK_TRY(ovk__mat_check_vec(M->A, input, "the input"));
  OVK_TRY(ovk__mat_check_vec(M->A, output, "the output"));
  OVK_CHECK(input != output && !ovk__vec_overlap(input, output), ctx, OVK_ERR_ARG,
            "input and output are the same vector or share memory");
  OVK_CHECK(!factors || (M->tried_to_factor && !M->factored.err), M->ctx, OVK_ERR_STATE,
            "the preconditioner has no factors: call ovk_precond_factor() first");
  return OVK_OK;
}

typedef ovk_err application(const ovk_precond *M, const ovk_vec *in, ovk_vec *out, ovk_poll poll);

/* A rank whose arguments are wrong takes part in the first agreement only, and may not know M. So
 * the first agreement comes after a local application, and before any other. */
static ovk_err apply_agreed(application *apply, const ovk_precond *M, const ovk_vec *in,
                            ovk_vec *out, bool factors, ovk_poll poll)
{
  ovk_ctx *ctx = OVK_ANY_CTX(M, in, out);
  if (!ctx) return OVK_ERR_ARG;
  ovk_err err = precond_check(ctx, M, in, out, factors);
  const ovk__used used = OVK_USE(M, M ? M->A : NULL, in, out);
  if (!err && M->ops->local) err = apply(M, in, out, poll);
  err = ovk__agree(ctx, err);
  if (!err && !M->ops->local) err = ovk__agree(ctx, apply(M, in, out, poll));
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_precond_apply(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll)
{
  return apply_agreed(ovk__precond_apply, M, r, z, false, poll);
}

ovk_err ovk_precond_apply_left(const ovk_precond *M, const ovk_vec *r, ovk_vec *t, ovk_poll poll)
{
  return apply_agreed(ovk__precond_apply_left, M, r, t, true, poll);
}

ovk_err ovk_precond_apply_right(const ovk_precond *M, const ovk_vec *t, ovk_vec *w, ovk_poll poll)
{
  return apply_agreed(ovk__precond_apply_right, M, t, w, true, poll);
}
