/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of matrix-free operators. */
#include "matrix/mat_impl.h"

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
