/* SPDX-License-Identifier: BSD-2-Clause */
/* The products of the public interface: checks of the arguments, and agreement. */
#include "core/context/agree.h"
#include "matrix/many.h"
#include "matrix/vector/vec_impl.h"

/* The result is the same on all ranks, except for NULL and for vectors that share memory. */
static ovk_err mult_check(const ovk_mat *A, const ovk_vec *x, const ovk_vec *y)
{
  ovk_ctx *ctx = OVK_ANY_CTX(A, x, y);
  OVK_CHECK_HANDLE(ctx, A);
  OVK_CHECK_HANDLE(ctx, x);
  OVK_CHECK_HANDLE(ctx, y);
  OVK_TRY(ovk__mat_check_ready(A));
  OVK_TRY(ovk__mat_check_vec(A, x, "x"));
  OVK_TRY(ovk__mat_check_vec(A, y, "y"));
  OVK_CHECK_UNUSED(y, "y");
  OVK_CHECK(x != y && !ovk__vec_overlap(x, y), ctx, OVK_ERR_ARG,
            "x and y are the same vector or share memory");
  return OVK_OK;
}

ovk_err ovk_mat_mult_polled(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll)
{
  const bool agree =
      A && A->state == OVK__MAT_SHELL; /* a product with an assembled matrix needs no reduction */
  const ovk_err fault = mult_check(A, x, y);
  OVK_TRY(agree ? ovk__agree(A->ctx, fault) : fault);
  const ovk__used used = OVK_USE(A, x, y);
  ovk_err err = ovk__mat_mult_dot(A, x, y, poll, NULL);
  if (agree) err = ovk__agree(A->ctx, err);
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_mat_mult(const ovk_mat *A, const ovk_vec *x, ovk_vec *y)
{
  return ovk_mat_mult_polled(A, x, y, ovk_poll_none());
}

/* The result is the same on all ranks, except for NULL. */
static ovk_err many_check(ovk_ctx *ctx, const ovk_mat *A, const ovk_multivec *X,
                          const ovk_multivec *Y)
{
  OVK_CHECK_HANDLE(ctx, A);
  OVK_CHECK_HANDLE(ctx, X);
  OVK_CHECK_HANDLE(ctx, Y);
  OVK_TRY(ovk__mat_check_ready(A));
  return ovk__multivec_check_pair(ctx, &A->layout, X, "X", Y, "Y");
}

static ovk_err many_blocks(const ovk_mat *A, const ovk_multivec *X, ovk_multivec *Y)
{
  const int blocks = ovk__multivec_panels(X->columns);
  for (int b = 0; b < blocks; b++) {
    OVK_TRY(ovk__mat_prepare_many(A, ovk__multivec_panel(X, b).width));
  }
  ovk__kept_error first = {0};
  for (int b = 0; b < blocks; b++) {
    const ovk__panel x = ovk__multivec_panel(X, b), y = ovk__multivec_panel(Y, b);
    ovk__keep_error(A->ctx, ovk__mat_mult_many(A, x.width, x.rows, y.rows, ovk_poll_none(), NULL),
                    &first);
  }
  return ovk__agree(A->ctx, ovk__kept_error_of(A->ctx, &first));
}

ovk_err ovk_mat_mult_many(const ovk_mat *A, const ovk_multivec *X, ovk_multivec *Y)
{
  ovk_ctx *ctx = OVK_ANY_CTX(A, X, Y);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, many_check(ctx, A, X, Y)));
  const ovk__used used = OVK_USE(A, X, Y);
  const ovk_err err = many_blocks(A, X, Y);
  ovk__end_use(&used);
  return err;
}
