/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of this rank from arrays in compressed sparse rows, with numbers of 64 or of 32 bits:
 * added, as a new matrix, as new values. */
#include "matrix/mat_impl.h"

static ovk_err add_csr_check(const ovk_mat *A, const ovk__csr_arrays *a)
{
  const ovk_lidx n = A->layout.local;
  OVK_CHECK(a->ptr || a->ptr32, A->ctx, OVK_ERR_ARG, "ptr is NULL");
  for (ovk_lidx i = 0; i < n; i++) {
    const int64_t begin = ovk__csr_offset(a, i), end = ovk__csr_offset(a, i + 1);
    OVK_CHECK(begin >= 0 && begin <= end, A->ctx, OVK_ERR_ARG,
              "ptr[%d] = %lld and ptr[%d] = %lld: offsets must not be negative or decrease", i,
              (long long)begin, i + 1, (long long)end);
  }
  const int64_t nnz = ovk__csr_offset(a, n) - ovk__csr_offset(a, 0);
  OVK_CHECK(nnz == 0 || ((a->col || a->col32) && a->val), A->ctx, OVK_ERR_ARG,
            "%s is NULL, with %lld entries", a->col || a->col32 ? "val" : "col", (long long)nnz);
  return OVK_OK;
}

/* ovk__mat_add_row() for columns of 32 bits. */
static ovk_err add_row32(ovk_mat *A, ovk_lidx i, int64_t n, const int32_t *col, const double *val)
{
  enum { PIECE = 256 };
  ovk_gidx wide[PIECE];
  for (int64_t k = 0, some; k < n; k += some) {
    some = n - k < PIECE ? n - k : PIECE;
    for (int64_t l = 0; l < some; l++) wide[l] = col[k + l];
    OVK_TRY(ovk__mat_add_row(A, i, some, wide, val + k));
  }
  return OVK_OK;
}

/* Keeps the first value that is not finite, with its row and column; `first` is the number of
 * column 0. */
static void look_for_odd(ovk_mat *A, ovk_gidx first, const ovk__csr_arrays *a)
{
  const int64_t begin = ovk__csr_offset(a, 0), nnz = ovk__csr_offset(a, A->layout.local) - begin;
  const int64_t odd = begin + (nnz ? ovk__find_not_finite(nnz, a->val + begin) : 0);
  ovk_lidx i = 0;
  if (odd == begin + nnz) return;
  while (ovk__csr_offset(a, i + 1) <= odd) i++;
  ovk__odd_entries_keep(&A->odd, A->layout.first + i,
                        first + (a->col ? a->col[odd] : a->col32[odd]), a->val[odd]);
}

static ovk_err add_csr_add_rows(ovk_mat *A, const ovk__csr_arrays *a)
{
  const ovk_lidx n = A->layout.local;
  OVK_TRY(add_csr_check(A, a));
  look_for_odd(A, 0, a);
  if (A->state == OVK__MAT_OPEN) {
    bool filled;
    OVK_TRY(ovk__rows_fill(A->ctx, &A->own, A->layout.first, a, &filled));
    if (filled) return OVK_OK;
  }
  for (ovk_lidx i = 0; i < n; i++) {
    const int64_t begin = ovk__csr_offset(a, i), count = ovk__csr_offset(a, i + 1) - begin;
    if (count == 0) continue;
    OVK_TRY(a->col ? ovk__mat_add_row(A, i, count, a->col + begin, a->val + begin)
                   : add_row32(A, i, count, a->col32 + begin, a->val + begin));
  }
  return OVK_OK;
}

/* Adds the arrays; a failure is also kept for assembly. */
static ovk_err add_csr(ovk_mat *A, const ovk__csr_arrays *a)
{
  if (!A) return OVK_ERR_ARG;
  OVK_TRY(ovk__mat_fill(A));
  return ovk__mat_keep(A, add_csr_add_rows(A, a));
}

ovk_err ovk__mat_give_rows(ovk_mat *A, ovk__csr *own)
{
  OVK_TRY(ovk__mat_fill(A));
  look_for_odd(A, A->layout.first,
               &(ovk__csr_arrays){.ptr = own->ptr, .col32 = own->col, .val = own->val});
  ovk__rows_give(&A->own, own);
  return OVK_OK;
}

ovk_err ovk_mat_add_csr(ovk_mat *A, const int64_t *ptr, const ovk_gidx *col, const double *val)
{
  return add_csr(A, &(ovk__csr_arrays){.ptr = ptr, .col = col, .val = val});
}

ovk_err ovk_mat_add_csr32(ovk_mat *A, const int32_t *ptr, const int32_t *col, const double *val)
{
  return add_csr(A, &(ovk__csr_arrays){.ptr32 = ptr, .col32 = col, .val = val});
}

static ovk_err create_csr(ovk_ctx *ctx, ovk_lidx nlocal, const ovk__csr_arrays *a,
                          const char *format, ovk_mat **out)
{
  OVK_TRY(ovk_mat_create(ctx, nlocal, out));
  ovk_err err = ovk_mat_set_format(*out, format ? format : "auto");
  if (!err) {
    (void)add_csr(*out, a); /* assembly returns its failure */
    err = ovk_mat_assemble(*out);
  }
  if (err) ovk_mat_destroy(out);
  return err;
}

ovk_err ovk_mat_create_csr(ovk_ctx *ctx, ovk_lidx nlocal, const int64_t *ptr, const ovk_gidx *col,
                           const double *val, const char *format, ovk_mat **out)
{
  return create_csr(ctx, nlocal, &(ovk__csr_arrays){.ptr = ptr, .col = col, .val = val}, format,
                    out);
}

ovk_err ovk_mat_create_csr32(ovk_ctx *ctx, ovk_lidx nlocal, const int32_t *ptr, const int32_t *col,
                             const double *val, const char *format, ovk_mat **out)
{
  return create_csr(ctx, nlocal, &(ovk__csr_arrays){.ptr32 = ptr, .col32 = col, .val = val}, format,
                    out);
}

static ovk_err update_csr(ovk_mat *A, const ovk__csr_arrays *a)
{
  OVK_TRY(ovk_mat_reset_values(A));
  (void)add_csr(A, a); /* assembly returns its failure */
  return ovk_mat_assemble(A);
}

ovk_err ovk_mat_update_csr(ovk_mat *A, const int64_t *ptr, const ovk_gidx *col, const double *val)
{
  return update_csr(A, &(ovk__csr_arrays){.ptr = ptr, .col = col, .val = val});
}

ovk_err ovk_mat_update_csr32(ovk_mat *A, const int32_t *ptr, const int32_t *col, const double *val)
{
  return update_csr(A, &(ovk__csr_arrays){.ptr32 = ptr, .col32 = col, .val = val});
}
