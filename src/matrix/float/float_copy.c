/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies with values in float. A block is copied as it is stored, or by way of compressed rows if
 * values have to be scaled or the format has no variant in float. */
#include "matrix/float/float_copy.h"
#include "core/context/agree.h"
#include "matrix/formats/narrow.h"
#include "matrix/mat_impl.h"
#include "matrix/vector/vec_impl.h"

#include <math.h>
#include <stdlib.h>

/* Exponents of two of the diagonal that need no scaling: entries of a positive definite matrix are
 * no larger than the diagonal's, and those that are 1e-11 times as large are still normal numbers.
 */
enum { LARGEST = 120, SMALLEST = -90 };

/* Whether a diagonal entry determines the scale of its row. */
static bool float_is_scale(double d)
{
  return d != 0 && isfinite(d);
}

/* *scaled <- whether the values have to be scaled. */
static ovk_err float_check_range(const ovk_vec *d, bool *scaled)
{
  double ends[2] = {SMALLEST, -LARGEST}; /* the largest exponent and the smallest, negated */
  for (ovk_lidx i = 0; i < d->layout.local; i++) {
    if (!float_is_scale(d->array[i])) continue;
    const int exponent = ilogb(d->array[i]);
    ends[0] = fmax(ends[0], exponent);
    ends[1] = fmax(ends[1], -exponent);
  }
  OVK_TRY(ovk__total(d->ctx, ends, 2, MPI_MAX));
  *scaled = ends[0] > LARGEST || ends[1] > -SMALLEST;
  return OVK_OK;
}

/* d <- powers of two about 1 / sqrt(|d|) */
static void float_invert_roots(ovk_vec *d)
{
  for (ovk_lidx i = 0; i < d->layout.local; i++) {
    d->array[i] = float_is_scale(d->array[i]) ? ldexp(1, -(ilogb(d->array[i]) / 2)) : 1;
  }
}

/* *scale <- S, or NULL */
static ovk_err float_choose_scale(const ovk_mat *A, ovk_vec **scale)
{
  bool scaled = false;
  OVK_TRY(ovk_mat_create_vec(A, scale));
  ovk_err err = ovk_mat_diagonal(A, *scale);
  if (!err) err = float_check_range(*scale, &scaled);
  if (!scaled) {
    ovk_vec_destroy(scale);
  } else {
    float_invert_roots(*scale);
  }
  return err;
}

/* The scales of rows and columns; NULL: all are 1. */
typedef struct scales {
  const double *row, *col;
} scales;

/* Rounds the entries of a row. `i` and `first` are the numbers of the row and of the first column
 * in the whole problem; `ghosts`: the numbers of columns there, or NULL for those from `first`
 * on. */
static ovk_err float_round_row(const ovk_mat *A, ovk_lidx i, int64_t n, const ovk_lidx *col,
                               const ovk_gidx *ghosts, scales s, double *val)
{
  for (int64_t k = 0; k < n; k++) {
    const double value = s.row ? val[k] * s.row[i] * s.col[col[k]] : val[k];
    OVK_CHECK(isfinite((float)value) || !isfinite(val[k]), A->ctx, OVK_ERR_RANGE,
              "entry (%lld,%lld) of a matrix, %g%s, is beyond the range of float",
              (long long)(A->layout.first + i),
              (long long)(ghosts ? ghosts[col[k]] : A->layout.first + col[k]), val[k],
              s.row ? " before scaling by the diagonal" : "");
    val[k] = (double)(float)value;
  }
  return OVK_OK;
}

/* *out <- the rows of the local block, scaled and rounded */
static ovk_err float_unfold_rounded(const ovk_mat *A, scales s, ovk__csr *out)
{
  OVK_TRY(ovk__csr_alloc(A->ctx, A->layout.local, A->local_nnz, out));
  ovk__format_count(A->format, A->local, 0, A->layout.local, out->ptr);
  OVK_TRY(ovk__format_unfold(A->ctx, A->format, A->local, 0, out));
  for (ovk_lidx i = 0; i < out->rows; i++) {
    const int64_t k = out->ptr[i];
    OVK_TRY(float_round_row(A, i, out->ptr[i + 1] - k, out->col + k, NULL, s, out->val + k));
  }
  return OVK_OK;
}

/* *format, *block <- the rows in A's format, or else in "sell" */
static ovk_err float_build_rounded(const ovk_mat *A, ovk__csr *rows, const ovk__format **format,
                                   void **block)
{
  ovk__wanted sell;
  OVK_TRY(ovk__format_find(A->ctx, "sell", &sell));
  *format = A->format->is_csr ? sell.format : A->format;
  *block = NULL;
  ovk_err err = (*format)->build(A->ctx, rows, true, block);
  if (err != OVK_ERR_UNSUPPORTED) return err;
  ovk__clear_message(A->ctx);
  *format = sell.format;
  return sell.format->build(A->ctx, rows, true, block);
}

/* out->local <- the block in float, if the format has that, or as it is. Takes over the block. */
static ovk_err narrow_block(const ovk__format *format, void *block, ovk_mat *out)
{
  if (!format->narrow) {
    out->format = format;
    out->local = block;
    return OVK_OK;
  }
  out->format = format->narrow;
  const ovk_err err = ovk__format_copy_narrow(out->ctx, format, block, &out->local);
  format->destroy(block);
  return err;
}

static ovk_err copy_rows(const ovk_mat *A, scales s, ovk_mat *out)
{
  ovk__csr rows = {0};
  const ovk__format *format;
  void *block = NULL;
  ovk_err err = float_unfold_rounded(A, s, &rows);
  if (!err) err = float_build_rounded(A, &rows, &format, &block);
  if (!err) err = narrow_block(format, block, out);
  ovk__csr_free(&rows);
  return err;
}

static ovk_err copy_local(const ovk_mat *A, scales s, ovk_mat *out)
{
  if (s.row || !A->format->narrow) return copy_rows(A, s, out);
  out->format = A->format->narrow;
  return ovk__format_copy_narrow(A->ctx, A->format, A->local, &out->local);
}

static ovk_err copy_remote(const ovk_mat *A, scales s, ovk_mat *out)
{
  const ovk__csr *from = &A->remote;
  ovk__csr *to = &out->remote;
  const int64_t nnz = ovk__csr_nnz(from);
  OVK_NEW_COPY(A->ctx, out->ghosts.col, A->ghosts.col, A->ghosts.count);
  out->ghosts.count = A->ghosts.count;
  OVK_NEW_COPY(A->ctx, out->remote_rows, A->remote_rows, from->rows);
  OVK_TRY(ovk__csr_alloc(A->ctx, from->rows, nnz, to));
  ovk__copy_bytes(to->ptr, from->ptr, ((size_t)from->rows + 1) * sizeof *to->ptr);
  ovk__copy_bytes(to->col, from->col, (size_t)nnz * sizeof *to->col);
  ovk__copy_bytes(to->val, from->val, (size_t)nnz * sizeof *to->val);
  for (ovk_lidx r = 0; r < to->rows; r++) {
    const int64_t k = to->ptr[r];
    OVK_TRY(float_round_row(A, A->remote_rows[r], to->ptr[r + 1] - k, to->col + k, A->ghosts.col, s,
                            to->val + k));
  }
  return OVK_OK;
}

/* Copies both blocks. Failures are those of this rank, except for those of the exchange. */
static ovk_err copy_blocks(const ovk_mat *A, const ovk_vec *scale, ovk_mat *out)
{
  scales local = {0}, remote = {0};
  if (scale) {
    const double *own = scale->array;
    local.row = local.col = remote.row = own;
    OVK_TRY(ovk__halo_begin(A->halo, &own));
    OVK_TRY(ovk__halo_end(A->halo, &remote.col));
  }
  OVK_TRY(copy_local(A, local, out));
  return copy_remote(A, remote, out);
}

static ovk_err float_fill_copy(const ovk_mat *A, const ovk_vec *scale, ovk_mat *out)
{
  ovk_gidx *first = NULL;
  OVK_TRY(ovk__agree(A->ctx, copy_blocks(A, scale, out)));
  out->local_nnz = A->local_nnz;
  ovk_err err = ovk__layout_gather(A->ctx, &A->layout, &first);
  if (!err) {
    err = ovk__halo_create(A->ctx, first, out->ghosts.col, out->ghosts.count, 1, &out->halo);
  }
  free(first);
  if (!err) err = ovk__mat_sum_up(out, OVK_OK);
  if (!err) out->state = OVK__MAT_ASSEMBLED;
  return err;
}

static ovk_err float_check_source(const ovk_mat *A)
{
  OVK_TRY(ovk__mat_check_ready(A));
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED, A->ctx, OVK_ERR_UNSUPPORTED,
            "a matrix-free operator has no values to round");
  return OVK_OK;
}

ovk_err ovk__mat_copy_float(const ovk_mat *A, ovk_mat **out, ovk_vec **scale)
{
  *out = NULL;
  *scale = NULL;
  OVK_TRY(float_check_source(A));
  ovk_err err = float_choose_scale(A, scale);
  if (!err) err = ovk_mat_create(A->ctx, A->layout.local, out);
  if (!err) err = float_fill_copy(A, *scale, *out);
  if (!err) return OVK_OK;
  ovk_mat_destroy(out);
  ovk_vec_destroy(scale);
  return err;
}
