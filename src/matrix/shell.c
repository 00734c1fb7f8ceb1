/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix-free operators: a matrix whose product is a user function. */
#include "base/sized.h"
#include "matrix/mat_impl.h"

static ovk_err take_ops(ovk_ctx *ctx, const ovk_shell_ops *ops, ovk_shell_ops *own)
{
  if (ops) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_shell_ops, destroy, ops, own));
  OVK_CHECK(own->mult, ctx, OVK_ERR_ARG, "a shell operator needs a mult function");
  return OVK_OK;
}

ovk_err ovk_mat_create_shell(ovk_ctx *ctx, ovk_lidx nlocal, const ovk_shell_ops *ops, void *user,
                             ovk_mat **out)
{
  if (!ctx) return OVK_ERR_ARG;
  if (out) *out = NULL;
  ovk_shell_ops own = {0};
  OVK_TRY(ovk__agree(ctx, take_ops(ctx, ops, &own)));
  OVK_TRY(ovk_mat_create(ctx, nlocal, out));
  (*out)->state = OVK__MAT_SHELL;
  (*out)->ops = own;
  (*out)->user = user;
  return OVK_OK;
}

ovk_err ovk__shell_mult(const ovk_mat *A, const double *x, double *y, ovk_poll poll)
{
  const unsigned before = A->ctx->message_count;
  const ovk_err err = A->ops.mult(A->user, x, y, poll);
  return ovk__user_failed(A->ctx, before, err, "the shell operator's mult");
}

ovk_err ovk__shell_diagonal(const ovk_mat *A, double *d)
{
  OVK_CHECK(A->ops.diagonal, A->ctx, OVK_ERR_UNSUPPORTED,
            "this shell operator has no diagonal function");
  const unsigned before = A->ctx->message_count;
  const ovk_err err = A->ops.diagonal(A->user, d);
  return ovk__user_failed(A->ctx, before, err, "the shell operator's diagonal");
}
