/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of matrix-free operators. */
#include "matrix/mat_impl.h"

ovk_err ovk__shell_mult(const ovk_mat *A, const double *x, double *y, ovk_poll poll)
{
  OVK_RETURN_USERS(A->ctx, A->ops.mult(A->user, x, y, poll), "the shell operator's mult");
}

ovk_err ovk__shell_diagonal(const ovk_mat *A, double *d)
{
  OVK_CHECK(A->ops.diagonal, A->ctx, OVK_ERR_UNSUPPORTED,
            "this shell operator has no diagonal function");
  OVK_RETURN_USERS(A->ctx, A->ops.diagonal(A->user, d), "the shell operator's diagonal");
}
