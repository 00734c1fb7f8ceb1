/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix-free operators: a matrix whose product is a user's function. */
#include "matrix/shell.h"
#include "matrix/mat_impl.h"

static ovk_err check_ops(ovk_ctx *ctx, const ovk_shell_ops *ops)
{
  OVK_CHECK(ops && ops->mult, ctx, OVK_ERR_ARG, "a shell operator needs a mult function");
  return OVK_OK;
}

ovk_err ovk_mat_create_shell(ovk_ctx *ctx, ovk_lidx nlocal, const ovk_shell_ops *ops, void *user,
                             ovk_mat **out)
{
  if (!ctx) return OVK_ERR_ARG;
  if (out) *out = NULL;
  OVK_TRY(ovk__agree(ctx, check_ops(ctx, ops)));
  OVK_TRY(ovk_mat_create(ctx, nlocal, out));
  (*out)->state = OVK__MAT_SHELL;
  (*out)->ops = *ops;
  (*out)->user = user;
  return OVK_OK;
}

ovk_err ovk__shell_mult(const ovk_mat *A, const double *x, double *y, ovk_poll poll)
{
  ovk__forget(A->ctx);
  return ovk__user_failed(A->ctx, A->ops.mult(A->user, x, y, poll), "the shell operator's mult");
}

ovk_err ovk__shell_diagonal(const ovk_mat *A, double *d)
{
  OVK_CHECK(A->ops.diagonal, A->ctx, OVK_ERR_UNSUPPORTED,
            "this shell operator has no diagonal function");
  ovk__forget(A->ctx);
  return ovk__user_failed(A->ctx, A->ops.diagonal(A->user, d), "the shell operator's diagonal");
}
