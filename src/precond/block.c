/* SPDX-License-Identifier: BSD-2-Clause */
/* The copy of this rank's diagonal block, and what can be wrong with its values. */
#include "precond/block.h"
#include "base/mem.h"
#include "matrix/mat_impl.h"

#include <math.h>
#include <stdlib.h>

/* Differences that the rounding of an assembly explains are no asymmetry. */
static const double ROUNDING = 1e-10;

static int64_t count_entries(const ovk_mat *A)
{
  int64_t n = 0;
  for (ovk_lidx i = 0; i < A->layout.local; i++) n += A->format->row(A->local, i, NULL, NULL);
  return n;
}

ovk_err ovk__block_copy(const ovk_mat *A, const char *who, ovk__block *out)
{
  ovk_ctx *ctx = A->ctx;
  const ovk_lidx n = A->layout.local;
  *out = (ovk__block){.ctx = ctx, .first = A->layout.first, .n = n};
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED, ctx, OVK_ERR_UNSUPPORTED,
            "'%s' needs the entries of A, which a matrix-free operator has not got", who);
  const int64_t entries = count_entries(A);
  OVK_NEW_ARRAY(ctx, out->ptr, n + (int64_t)1);
  OVK_NEW_ARRAY(ctx, out->col, entries);
  OVK_NEW_ARRAY(ctx, out->val, entries);
  out->ptr[0] = 0;
  for (ovk_lidx i = 0; i < n; i++) {
    const int64_t k = out->ptr[i];
    out->ptr[i + 1] = k + A->format->row(A->local, i, out->col + k, out->val + k);
  }
  return OVK_OK;
}

void ovk__block_free(ovk__block *B)
{
  free(B->ptr);
  free(B->col);
  free(B->val);
  *B = (ovk__block){0};
}

ovk_lidx ovk__block_start(ovk_lidx rows, int blocks, int k)
{
  return (ovk_lidx)((int64_t)rows * k / blocks);
}

void ovk__block_split(ovk__block *B, int blocks)
{
  int64_t from = 0, kept = 0;
  for (int b = 0; b < blocks; b++) {
    const ovk_lidx start = ovk__block_start(B->n, blocks, b);
    const ovk_lidx end = ovk__block_start(B->n, blocks, b + 1);
    for (ovk_lidx i = start; i < end; i++) {
      for (; from < B->ptr[i + 1]; from++) {
        if (B->col[from] < start || B->col[from] >= end) continue;
        B->col[kept] = B->col[from];
        B->val[kept++] = B->val[from];
      }
      B->ptr[i + 1] = kept;
    }
  }
}

ovk_err ovk__block_check_finite(const ovk__block *B, const char *who)
{
  for (ovk_lidx i = 0; i < B->n; i++) {
    for (int64_t k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
      OVK_CHECK(isfinite(B->val[k]), B->ctx, OVK_ERR_ARG, "%s: row %lld, column %lld of A is %g",
                who, (long long)(B->first + i), (long long)(B->first + B->col[k]), B->val[k]);
    }
  }
  return OVK_OK;
}

void ovk__block_diagonal(const ovk__block *B, double *d)
{
  for (ovk_lidx i = 0; i < B->n; i++) {
    d[i] = 0;
    for (int64_t k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
      if (B->col[k] == i) d[i] = B->val[k];
    }
  }
}

/* a = A(i,j) and b = A(j,i), j < i */
static ovk_err compare(const ovk__block *B, const char *who, const double *d, ovk_lidx i,
                       ovk_lidx j, double a, double b)
{
  OVK_CHECK(fabs(a - b) <= ROUNDING * sqrt(fabs(d[i])) * sqrt(fabs(d[j])), B->ctx, OVK_ERR_ARG,
            "%s needs a symmetric A: row %lld, column %lld is %.17g, but row %lld, column %lld is "
            "%.17g",
            who, (long long)(B->first + i), (long long)(B->first + j), a, (long long)(B->first + j),
            (long long)(B->first + i), b);
  return OVK_OK;
}

/* Entries above the diagonal of row j from upper[j] on, in columns before `until`, have no equals
 * below the diagonal. */
static ovk_err pass_unmatched(const ovk__block *B, const char *who, const double *d, ovk_lidx j,
                              ovk_lidx until, int64_t *upper)
{
  for (; upper[j] < B->ptr[j + 1] && B->col[upper[j]] < until; upper[j]++) {
    OVK_TRY(compare(B, who, d, B->col[upper[j]], j, 0, B->val[upper[j]]));
  }
  return OVK_OK;
}

/* Entries below the diagonal, row by row, meet those above it in the order of their columns. */
static ovk_err match(const ovk__block *B, const char *who, const double *d, int64_t *upper)
{
  for (ovk_lidx i = 0; i < B->n; i++) {
    int64_t k = B->ptr[i];
    for (; k < B->ptr[i + 1] && B->col[k] < i; k++) {
      const ovk_lidx j = B->col[k];
      OVK_TRY(pass_unmatched(B, who, d, j, i, upper));
      const bool found = upper[j] < B->ptr[j + 1] && B->col[upper[j]] == i;
      OVK_TRY(compare(B, who, d, i, j, B->val[k], found ? B->val[upper[j]++] : 0));
    }
    upper[i] = k + (k < B->ptr[i + 1] && B->col[k] == i);
  }
  for (ovk_lidx j = 0; j < B->n; j++) OVK_TRY(pass_unmatched(B, who, d, j, B->n, upper));
  return OVK_OK;
}

ovk_err ovk__block_check_symmetric(const ovk__block *B, const char *who)
{
  double *d = ovk__array((size_t)B->n, sizeof *d);
  int64_t *upper = ovk__array((size_t)B->n, sizeof *upper);
  ovk_err err =
      d && upper ? OVK_OK : OVK_FAIL(B->ctx, OVK_ERR_MEMORY, "no memory for %d rows", B->n);
  if (!err) {
    ovk__block_diagonal(B, d);
    err = match(B, who, d, upper);
  }
  free(d);
  free(upper);
  return err;
}
