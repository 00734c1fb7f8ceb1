/* SPDX-License-Identifier: BSD-2-Clause */
/* The distributed product with several columns at once: begin halo, local rows while polling, end
 * halo, remote rows. */
#include "matrix/many.h"
#include "core/base/columns.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/spmv.h"

static bool one_by_one(const ovk_mat *A)
{
  return A->state == OVK__MAT_SHELL || A->ordered || !A->format->products->many;
}

/* A->many->column, if products need it. */
static ovk_err many_make_column(const ovk_mat *A)
{
  if (A->many->column || !one_by_one(A)) return OVK_OK;
  OVK_NEW_ARRAY(A->ctx, A->many->column, 2 * (size_t)A->layout.local);
  return OVK_OK;
}

ovk_err ovk__mat_prepare_many(const ovk_mat *A, int width)
{
  ovk__mat_many *many = A->many;
  if (many->ready[width]) return OVK_OK;
  if (width > 1) {
    OVK_TRY(ovk__agree(A->ctx, many_make_column(A)));
    if (A->state != OVK__MAT_SHELL) OVK_TRY(ovk__mat_halo(A, width, &many->halo[width]));
  }
  many->ready[width] = true;
  return OVK_OK;
}

/* dots[c] <- (x_c, y_c) */
static void many_dots(ovk_lidx n, int width, const double *x, const double *y, double *dots)
{
  double sum[OVK__COLUMN_SUMS] = {0};
  ovk__columns_dot(width, OVK__LANES, n, x, y, sum);
  ovk__columns_totals(width, OVK__LANES, sum, dots);
}

/* A product of the local rows with one column. */
typedef ovk_err column_product(const ovk_mat *A, const double *x, double *y, ovk_poll poll);

static ovk_err column_of_format(const ovk_mat *A, const double *x, double *y, ovk_poll poll)
{
  if (A->ordered) {
    A->format->products->ordered(A->local, x, y, poll, NULL);
  } else {
    (void)A->format->products->dot(A->local, x, y, poll, NULL);
  }
  return OVK_OK;
}

/* All columns, also after a failure: the functions of a shell may communicate. */
static ovk_err many_by_columns(const ovk_mat *A, column_product *product, int width,
                               const double *x, double *y, ovk_poll poll)
{
  const ovk_lidx n = A->layout.local;
  double *from = A->many->column, *to = from + n;
  ovk__kept_error first = {0};
  for (int c = 0; c < width; c++) {
    ovk__panel_get(n, width, x, c, 1, from, n);
    ovk__keep_error(A->ctx, product(A, from, to, poll), &first);
    ovk__panel_set(n, width, y, c, 1, to, n);
  }
  return ovk__kept_error_of(A->ctx, &first);
}

static ovk_err shell_many(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                          double *dots)
{
  const double start = ovk__log_now(&A->ctx->log);
  const ovk_err err = many_by_columns(A, ovk__shell_mult, width, x, y, poll);
  many_dots(A->layout.local, width, x, y, dots);
  ovk__log_add(&A->ctx->log, OVK_EVENT_MULT, start);
  return err;
}

/* The local rows. The format may have become another one since A was prepared. */
static ovk_err many_local(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                          const ovk__finish *finish, double *dots)
{
  if (!one_by_one(A)) {
    A->format->products->many(A->local, width, x, y, poll, finish, dots);
    return OVK_OK;
  }
  OVK_TRY(many_make_column(A));
  OVK_TRY(many_by_columns(A, column_of_format, width, x, y, poll));
  many_dots(A->layout.local, width, x, y, dots);
  ovk__finish_block(finish, width, 0, A->layout.local, y);
  return OVK_OK;
}

/* Adds the columns of other ranks, or, if A is in order, computes their rows again. */
static void many_remote(const ovk_mat *A, int width, const double *x, const double *ghosts,
                        double *y, double *dots)
{
  const ovk_lidx n = A->layout.local;
  if (!A->ordered) {
    ovk__csr_mult_add_many(&A->remote, A->remote_rows, width, ghosts, x, y, dots);
    return;
  }
  double *from = A->many->column, *to = from + n;
  for (int c = 0; c < width; c++) {
    ovk__panel_get(n, width, x, c, 1, from, n);
    ovk__panel_get(n, width, y, c, 1, to, n);
    ovk__whole_rows_mult(&A->whole, n, from, ghosts + c, width, to);
    ovk__panel_set(n, width, y, c, 1, to, n);
  }
  many_dots(n, width, x, y, dots);
}

static ovk_err assembled_many(const ovk_mat *A, int width, const double *x, double *y,
                              ovk_poll poll, const ovk__finish *finish, double *dots)
{
  ovk__halo *halo = A->many->halo[width];
  ovk__spmv product = ovk__spmv_start(A, halo, poll);
  ovk__waiting rest = {A, finish, width, 0};
  const ovk__finish interior = {ovk__waiting_interior, &rest};
  const double *ghosts;
  OVK_TRY(ovk__halo_begin_block(halo, x));
  const ovk_err err =
      many_local(A, width, x, y, ovk__spmv_poll(&product), finish ? &interior : NULL, dots);
  OVK_TRY(ovk__spmv_ghosts(&product, &ghosts));
  if (!err) many_remote(A, width, x, ghosts, y, dots);
  if (!err) ovk__waiting_boundary(&rest, y);
  ovk__spmv_done(&product);
  return err;
}

ovk_err ovk__mat_mult_many(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                           double *dots)
{
  double unwanted[OVK__WIDEST];
  if (!dots) dots = unwanted;
  if (width == 1) return ovk__mat_mult_arrays(A, x, y, poll, dots);
  return A->state == OVK__MAT_SHELL ? shell_many(A, width, x, y, poll, dots)
                                    : assembled_many(A, width, x, y, poll, NULL, dots);
}

ovk_err ovk__mat_mult_many_finish(const ovk_mat *A, int width, const double *x, double *y,
                                  ovk_poll poll, const ovk__finish *finish)
{
  double unwanted[OVK__WIDEST];
  if (width == 1) return ovk__mat_mult_finish(A, x, y, poll, finish);
  if (A->state != OVK__MAT_SHELL) return assembled_many(A, width, x, y, poll, finish, unwanted);
  const ovk_err err = shell_many(A, width, x, y, poll, unwanted);
  ovk__finish_block(finish, width, 0, A->layout.local, y);
  return err;
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
