/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix with the rows of each rank in the reverse Cuthill-McKee order. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/near_nullspace/find_block.h"
#include "matrix/order/rcm.h"
#include "matrix/vector/vec_impl.h"

#include <ovkrylov/reorder.h>
#include <string.h>

/* The rows of A on their way to B. */
typedef struct move {
  const ovk_mat *A;
  int block;            /* rows of a point, which may be found */
  ovk__csr rows;        /* of the local block */
  ovk_lidx *remote;     /* [row]: its row of the remote block, or -1 */
  double *place;        /* [row]: its number in B, of all ranks */
  const double *ghosts; /* the same for the ghosts */
  ovk_gidx *col;        /* of one row */
  double *val;
} move;

static void move_free(move *m)
{
  ovk__csr_free(&m->rows);
  free(m->remote);
  free(m->place);
  free(m->col);
  free(m->val);
}

static int64_t move_longest_row(const move *m)
{
  int64_t longest = 0;
  for (ovk_lidx i = 0; i < m->rows.rows; i++) {
    const ovk_lidx r = m->remote[i];
    int64_t n = m->rows.ptr[i + 1] - m->rows.ptr[i];
    if (r >= 0) n += m->A->remote.ptr[r + 1] - m->A->remote.ptr[r];
    if (n > longest) longest = n;
  }
  return longest;
}

/* Reads the rows of A. */
static ovk_err move_read(move *m)
{
  const ovk_mat *A = m->A;
  const ovk_lidx n = A->layout.local;
  OVK_TRY(ovk__csr_alloc(A->ctx, n, A->local_nnz, &m->rows));
  ovk__format_count(A->format, A->local, 0, n, m->rows.ptr);
  OVK_TRY(ovk__format_unfold(A->ctx, A->format, A->local, 0, &m->rows));
  OVK_NEW_ARRAY(A->ctx, m->remote, n);
  OVK_NEW_ARRAY(A->ctx, m->place, n);
  for (ovk_lidx i = 0; i < n; i++) m->remote[i] = -1;
  for (ovk_lidx r = 0; r < A->remote.rows; r++) m->remote[A->remote_rows[r]] = r;
  const int64_t longest = move_longest_row(m);
  OVK_NEW_ARRAY(A->ctx, m->col, longest);
  OVK_NEW_ARRAY(A->ctx, m->val, longest);
  return OVK_OK;
}

/* order <- rows, those of a point one after the other, in the order of the first that comes */
static ovk_err move_find_order(const move *m, ovk_lidx *order)
{
  const ovk_lidx n = m->rows.rows, block = m->block;
  OVK_TRY(ovk__rcm(m->A->ctx, n, m->rows.ptr, m->rows.col, order));
  if (block == 1) return OVK_OK;
  ovk_lidx *rows, points = 0;
  OVK_NEW_ARRAY(m->A->ctx, rows, n);
  if (n) memcpy(rows, order, (size_t)n * sizeof *rows);
  for (ovk_lidx i = 0; i < n; i++) m->place[i] = -1;
  for (ovk_lidx i = 0; i < n; i++) {
    const ovk_lidx first = rows[i] - rows[i] % block;
    if (m->place[first] >= 0) continue;
    m->place[first] = points;
    for (ovk_lidx k = 0; k < block; k++) order[points * block + k] = first + k;
    points++;
  }
  free(rows);
  return OVK_OK;
}

/* Row i of B <- row `row` of A */
static ovk_err move_row(const move *m, ovk_lidx row, ovk_lidx i, ovk_mat *B)
{
  const ovk__csr *R = &m->A->remote;
  const ovk_lidx r = m->remote[row];
  int64_t n = 0;
  for (int64_t k = m->rows.ptr[row]; k < m->rows.ptr[row + 1]; k++) {
    m->col[n] = (ovk_gidx)m->place[m->rows.col[k]];
    m->val[n++] = m->rows.val[k];
  }
  for (int64_t k = r < 0 ? 0 : R->ptr[r]; r >= 0 && k < R->ptr[r + 1]; k++) {
    m->col[n] = (ovk_gidx)m->ghosts[R->col[k]];
    m->val[n++] = R->val[k];
  }
  return ovk__mat_add_row(B, i, n, m->col, m->val);
}

/* Moves all rows; a failure is kept for the assembly of B. */
static void move_rows(const move *m, ovk_mat *B)
{
  ovk_err err = ovk__mat_fill(B);
  for (ovk_lidx i = 0; i < m->rows.rows && !err; i++) err = move_row(m, B->order[i], i, B);
  (void)ovk__mat_keep(B, err);
}

/* B <- the entries of A, in the order that B is to find, or has: then it gets new values.
 * Collective; errors are agreed. */
static ovk_err reorder_fill(const ovk_mat *A, bool find, ovk_mat *B)
{
  move m = {.A = A};
  if (find) OVK_TRY(ovk__mat_find_block(A, &m.block));
  ovk_err err = move_read(&m);
  if (!err && find) err = move_find_order(&m, B->order);
  err = ovk__agree(A->ctx, err);
  for (ovk_lidx i = 0; i < A->layout.local && !err; i++) {
    m.place[B->order[i]] = (double)(A->layout.first + i);
  }
  const double *own = m.place;
  if (!err) err = ovk__halo_begin(A->halo, &own);
  if (!err) err = ovk__halo_end(A->halo, &m.ghosts);
  err = ovk__agree(A->ctx, err);
  if (!err && !find) err = ovk_mat_reset_values(B);
  if (!err) move_rows(&m, B);
  move_free(&m);
  return err ? err : ovk_mat_assemble(B);
}

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
  if (!err) err = reorder_fill(A, true, *out);
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
  return reorder_fill(A, false, B);
}
