/* SPDX-License-Identifier: BSD-2-Clause */
/* Adding entries to a matrix. They are checked and classified at once: rows and columns of this
 * rank, columns of other ranks, rows of other ranks. */
#include "matrix/mat_impl.h"
#include "matrix/refill.h"

#include <math.h>
#include <stdio.h>

ovk_err ovk__mat_keep(ovk_mat *A, ovk_err err)
{
  ovk__keep_error(A->ctx, err, &A->kept);
  return err;
}

/* The local index of row i, or a number larger than all local indices. */
static inline uint64_t add_place_column(const ovk_mat *A, ovk_gidx i)
{
  return (uint64_t)i - (uint64_t)A->layout.first;
}

ovk_err ovk__mat_add_own(ovk_mat *A, ovk_lidx i, ovk_gidx j, double value)
{
  if (A->state == OVK__MAT_REFILLED) return ovk__mat_refill_add(A, i, j, value);
  const uint64_t own = add_place_column(A, j);
  if (own < (uint64_t)A->layout.local) {
    return ovk__rows_add(A->ctx, &A->own, i, (ovk_lidx)own, value);
  }
  ovk_lidx ghost = 0;
  OVK_TRY(ovk__ghosts_number(A->ctx, &A->ghosts, j, &ghost));
  return ovk__rows_add(A->ctx, &A->other, i, ghost, value);
}

/* A(i,j) <- A(i,j) + value for any row and column, which are checked. */
static ovk_err mat_add_entry(ovk_mat *A, ovk_gidx i, ovk_gidx j, double value)
{
  const ovk_gidx n = A->layout.global;
  OVK_CHECK(i >= 0 && i < n && j >= 0 && j < n, A->ctx, OVK_ERR_RANGE,
            "entry (%lld,%lld) is outside of a matrix with %lld rows and columns", (long long)i,
            (long long)j, (long long)n);
  const uint64_t own = add_place_column(A, i);
  if (own < (uint64_t)A->layout.local) return ovk__mat_add_own(A, (ovk_lidx)own, j, value);
  return ovk__stash_add(A->ctx, &A->off, (ovk__entry){i, j, value});
}

ovk_err ovk__mat_fill(ovk_mat *A)
{
  OVK_CHECK(A->state != OVK__MAT_FAILED, A->ctx, OVK_ERR_STATE,
            "assembly has failed: the matrix can only be destroyed");
  OVK_CHECK(A->state == OVK__MAT_OPEN || A->state == OVK__MAT_REFILLED, A->ctx, OVK_ERR_STATE,
            "entries can be added only before assembly, or after ovk_mat_reset_values()");
  if (A->filling) return OVK_OK;
  A->filling = true;
  A->filling_since = ovk__log_now(&A->ctx->log);
  return OVK_OK;
}

ovk_err ovk_mat_add(ovk_mat *A, ovk_gidx i, ovk_gidx j, double value)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__mat_fill(A));
  if (!isfinite(value)) ovk__odd_entries_keep(&A->odd, i, j, value);
  return ovk__mat_keep(A, mat_add_entry(A, i, j, value));
}

ovk_err ovk__mat_add_row(ovk_mat *A, ovk_lidx i, int64_t n, const ovk_gidx *col, const double *val)
{
  const ovk_gidx first = A->layout.first;
  const bool new = A->state == OVK__MAT_OPEN;
  for (int64_t k = 0, taken = 0; k < n; k++) {
    if (new) {
      OVK_TRY(ovk__rows_take(A->ctx, &A->own, i, first, n - k, col + k, val + k, &taken));
    } else {
      OVK_TRY(ovk__mat_refill_take(A, i, n - k, col + k, val + k, &taken));
    }
    k += taken;
    if (k < n) OVK_TRY(mat_add_entry(A, first + i, col[k], val[k]));
  }
  return OVK_OK;
}

/* Adds a row of a block. */
static ovk_err add_block_row(ovk_mat *A, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                             const double *val)
{
  const uint64_t own = add_place_column(A, i);
  if (own < (uint64_t)A->layout.local) return ovk__mat_add_row(A, (ovk_lidx)own, n, col, val);
  for (ovk_lidx k = 0; k < n; k++) OVK_TRY(mat_add_entry(A, i, col[k], val[k]));
  return OVK_OK;
}

static ovk_err add_block(ovk_mat *A, ovk_lidx nrows, const ovk_gidx *rows, ovk_lidx ncols,
                         const ovk_gidx *cols, const double *values)
{
  OVK_CHECK(nrows >= 0 && ncols >= 0, A->ctx, OVK_ERR_ARG,
            "a block of %d rows and %d columns: both numbers must be >= 0", nrows, ncols);
  if (nrows == 0 || ncols == 0) return OVK_OK;
  OVK_CHECK(rows && cols && values, A->ctx, OVK_ERR_ARG, "%s is NULL, of a block of %d x %d",
            rows ? cols ? "values" : "cols" : "rows", nrows, ncols);
  const int64_t n = (int64_t)nrows * ncols, odd = ovk__find_not_finite(n, values);
  if (odd < n) ovk__odd_entries_keep(&A->odd, rows[odd / ncols], cols[odd % ncols], values[odd]);
  for (ovk_lidx i = 0; i < nrows; i++, values += ncols) {
    OVK_TRY(add_block_row(A, rows[i], ncols, cols, values));
  }
  return OVK_OK;
}

ovk_err ovk_mat_add_block(ovk_mat *A, ovk_lidx nrows, const ovk_gidx *rows, ovk_lidx ncols,
                          const ovk_gidx *cols, const double *values)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__mat_fill(A));
  return ovk__mat_keep(A, add_block(A, nrows, rows, ncols, cols, values));
}

static ovk_err add_reserve(ovk_mat *A, int64_t entries)
{
  OVK_CHECK(entries >= 0, A->ctx, OVK_ERR_ARG, "no memory can be reserved for %lld entries",
            (long long)entries);
  const bool new = A->state == OVK__MAT_OPEN && A->own.count == 0;
  return new ? ovk__rows_reserve(A->ctx, &A->own, entries) : OVK_OK;
}

ovk_err ovk_mat_reserve(ovk_mat *A, int64_t entries)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__mat_fill(A));
  return ovk__mat_keep(A, add_reserve(A, entries));
}
