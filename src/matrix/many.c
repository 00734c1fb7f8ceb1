/* SPDX-License-Identifier: BSD-2-Clause */
/* The local and the remote rows of products with several columns at once, and their memory. */
#include "matrix/many.h"
#include "core/base/columns.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>

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

ovk_err ovk__mat_halo(const ovk_mat *A, int width, ovk__halo **out)
{
  ovk_gidx *first = NULL;
  *out = NULL;
  if (A->state == OVK__MAT_SHELL) return OVK_OK;
  ovk_err err = ovk__layout_gather(A->ctx, &A->layout, &first);
  if (!err) err = ovk__halo_create(A->ctx, first, A->ghosts.col, A->ghosts.count, width, out);
  free(first);
  return err;
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

void ovk__mat_many_dots(ovk_lidx n, int width, const double *x, const double *y, double *dots)
{
  double sum[OVK__COLUMN_SUMS] = {0};
  ovk__columns_dot(width, OVK__LANES, n, x, y, sum);
  ovk__columns_totals(width, OVK__LANES, sum, dots);
}

/* The local rows, or all of a shell, with one column. */
static ovk_err column_product(const ovk_mat *A, const double *x, double *y, ovk_poll poll)
{
  if (A->state == OVK__MAT_SHELL) return ovk__shell_mult(A, x, y, poll);
  if (A->ordered) {
    A->format->products->ordered(A->local, x, y, poll, NULL);
  } else {
    (void)A->format->products->dot(A->local, x, y, poll, NULL);
  }
  return OVK_OK;
}

/* All columns, also after a failure: the functions of a shell may communicate. */
static ovk_err many_by_columns(const ovk_mat *A, int width, const double *x, double *y,
                               ovk_poll poll)
{
  const ovk_lidx n = A->layout.local;
  double *from = A->many->column, *to = from + n;
  ovk__kept_error first = {0};
  for (int c = 0; c < width; c++) {
    ovk__panel_get(n, width, x, c, 1, from, n);
    ovk__keep_error(A->ctx, column_product(A, from, to, poll), &first);
    ovk__panel_set(n, width, y, c, 1, to, n);
  }
  return ovk__kept_error_of(A->ctx, &first);
}

/* The format may have become another one since A was prepared. */
ovk_err ovk__mat_many_local(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                            const ovk__finish *finish, double *dots)
{
  if (!one_by_one(A)) {
    A->format->products->many(A->local, width, x, y, poll, finish, dots);
    return OVK_OK;
  }
  OVK_TRY(many_make_column(A));
  const ovk_err err = many_by_columns(A, width, x, y, poll);
  if (A->state != OVK__MAT_SHELL && !A->ordered) {
    ovk__mat_many_dots(A->layout.local, width, x, y, dots);
  }
  ovk__finish_block(finish, width, 0, A->layout.local, y);
  return err;
}

void ovk__mat_many_remote(const ovk_mat *A, int width, const double *x, const double *ghosts,
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
}
