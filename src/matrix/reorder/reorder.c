/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix with the rows of each rank in the reverse Cuthill-McKee order. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/reorder/reorder_entries.h"
#include "matrix/vector/vec_impl.h"

#include <ovkrylov/reorder.h>

/* out <- the points of `in`, each of `width` values, in this order of rows; a point has `block`
 * rows */
static void reorder_points(const ovk_lidx *order, ovk_lidx points, int block, int width,
                           const double *in, double *out)
{
  for (ovk_lidx p = 0; p < points; p++) {
    const ptrdiff_t from = (ptrdiff_t)(order[(ptrdiff_t)p * block] / block) * width;
    for (int k = 0; k < width; k++) out[(ptrdiff_t)p * width + k] = in[from + k];
  }
}

/* B <- the coordinates of A */
static ovk_err reorder_coordinates(const ovk_mat *A, ovk_mat *B)
{
  const ovk_lidx points = A->layout.local / A->block;
  double *xyz = ovk__array((size_t)points * (size_t)A->dim, sizeof *xyz);
  ovk_err err = xyz ? OVK_OK : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for coordinates");
  err = ovk__agree(A->ctx, err);
  if (!err) reorder_points(B->order, points, A->block, A->dim, A->coordinates, xyz);
  if (!err) err = ovk_mat_set_coordinates(B, A->dim, xyz);
  free(xyz);
  return err;
}

/* B <- the block size, the coordinates and the near-null space of A. */
static ovk_err reorder_description(const ovk_mat *A, ovk_mat *B)
{
  ovk__vec_list near = {0};
  OVK_TRY(ovk_mat_set_block_size(B, A->block));
  if (A->dim > 0) OVK_TRY(reorder_coordinates(A, B));
  if (A->near.count == 0) return OVK_OK;
  OVK_TRY(ovk__vec_list_create(A->ctx, &A->layout, A->near.count, &near));
  for (int k = 0; k < near.count; k++) {
    reorder_points(B->order, A->layout.local, 1, 1, A->near.vec[k]->array, near.vec[k]->array);
  }
  const ovk_err err = ovk_mat_set_near_nullspace(B, near.count, near.vec);
  ovk__vec_list_clear(&near);
  return err;
}

static ovk_err reorder_check_source(const ovk_mat *A)
{
  OVK_CHECK(A->state != OVK__MAT_SHELL, A->ctx, OVK_ERR_UNSUPPORTED,
            "a matrix-free operator has no entries to put in another order");
  return ovk__mat_check_ready(A);
}

static ovk_err reorder_check_target(const ovk_mat *A, ovk_mat **out)
{
  OVK_CHECK(out, A->ctx, OVK_ERR_ARG, "out is NULL");
  return reorder_check_source(A);
}

static ovk_err reorder_begin(const ovk_mat *A, ovk_mat *B)
{
  const bool ordered =
      B->wanted.ordered; /* the environment may want it, a solve with A does not count */
  B->wanted = A->wanted;
  B->wanted.ordered = ordered;
  OVK_NEW_ARRAY(A->ctx, B->order, A->layout.local);
  return OVK_OK;
}

ovk_err ovk_mat_reorder(const ovk_mat *A, ovk_mat **out)
{
  if (out) *out = NULL;
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(A->ctx, reorder_check_target(A, out)));
  OVK_TRY(ovk_mat_create(A->ctx, A->layout.local, out));
  ovk_err err = ovk__agree(A->ctx, reorder_begin(A, *out));
  if (!err) err = ovk__reorder_entries(A, true, *out);
  if (!err) err = reorder_description(A, *out);
  if (err) ovk_mat_destroy(out);
  return err;
}

static ovk_err reorder_check_values(ovk_ctx *ctx, const ovk_mat *A, const ovk_mat *B)
{
  OVK_CHECK_HANDLE(ctx, A);
  OVK_CHECK_HANDLE(ctx, B);
  OVK_CHECK(A->ctx == B->ctx, ctx, OVK_ERR_ARG, "B belongs to another context");
  OVK_CHECK(B->order, ctx, OVK_ERR_ARG, "B is not from ovk_mat_reorder()");
  OVK_TRY(ovk__layout_check(ctx, &A->layout, "A", &B->layout, "B"));
  return reorder_check_source(A);
}

ovk_err ovk_mat_reorder_values(const ovk_mat *A, ovk_mat *B)
{
  ovk_ctx *ctx = OVK_ANY_CTX(A, B);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, reorder_check_values(ctx, A, B)));
  return ovk__reorder_entries(A, false, B);
}
