/* SPDX-License-Identifier: BSD-2-Clause */
/* The copy of the diagonal block of this rank, and checks of its values. */
#include "precond/block.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Differences that the rounding of an assembly explains are no asymmetry. */
static const double ROUNDING = 1e-10;

ovk_err ovk__block_copy(const ovk_mat *A, const char *who, ovk__block *out)
{
  ovk_ctx *ctx = A->ctx;
  const ovk_lidx n = A->layout.local;
  *out = (ovk__block){.ctx = ctx, .first = A->layout.first, .n = n};
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED, ctx, OVK_ERR_UNSUPPORTED,
            "'%s' needs the entries of A, which a matrix-free operator lacks", who);
  out->symmetric = A->format->symmetric;
  OVK_NEW_ARRAY(ctx, out->ptr, n + (int64_t)1);
  OVK_NEW_ARRAY(ctx, out->col, A->local_nnz);
  OVK_NEW_ARRAY(ctx, out->val, A->local_nnz);
  ovk__format_count(A->format, A->local, 0, n, out->ptr);
  ovk__csr all = {.rows = n, .ptr = out->ptr, .col = out->col, .val = out->val};
  return ovk__format_unfold(ctx, A->format, A->local, 0, &all);
}

void ovk__block_free(ovk__block *B)
{
  free(B->ptr);
  free(B->col);
  free(B->val);
  *B = (ovk__block){0};
}

ovk_gidx ovk__block_number(const ovk__block *B, ovk_lidx i)
{
  return B->first + (B->order ? B->order[i] : i);
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

static bool block_all_finite(const ovk__block *B)
{
  int64_t bad = 0;
  for (int64_t k = 0; k < B->ptr[B->n]; k++) bad += !(fabs(B->val[k]) <= DBL_MAX);
  return bad == 0;
}

ovk_err ovk__block_check_finite(const ovk__block *B, const char *who)
{
  if (block_all_finite(B)) return OVK_OK;
  for (ovk_lidx i = 0; i < B->n; i++) {
    for (int64_t k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
      OVK_CHECK(isfinite(B->val[k]), B->ctx, OVK_ERR_ARG, "%s: row %lld, column %lld of A is %g",
                who, (long long)(B->first + i), (long long)(B->first + B->col[k]), B->val[k]);
    }
  }
  return OVK_OK;
}

double ovk__block_diagonal_entry(const ovk__block *B, ovk_lidx i)
{
  int64_t k = B->ptr[i];
  while (k < B->ptr[i + 1] && B->col[k] < i) k++;
  return k < B->ptr[i + 1] && B->col[k] == i ? B->val[k] : 0;
}

void ovk__block_diagonal(const ovk__block *B, double *d)
{
  for (ovk_lidx i = 0; i < B->n; i++) d[i] = ovk__block_diagonal_entry(B, i);
}

/* A search for the first asymmetry. */
typedef struct search {
  const ovk__block *B;
  int64_t *upper; /* of each row, the first entry above the diagonal that has not been compared */
  ovk__mismatch *out;
} search;

/* a = A(i,j) and b = A(j,i); whether they are equal up to rounding */
static inline bool block_equal(const search *s, ovk_lidx i, ovk_lidx j, double a, double b)
{
  const ovk__block *B = s->B;
  if (a == b) return true;
  const double scale =
      sqrt(fabs(ovk__block_diagonal_entry(B, i))) * sqrt(fabs(ovk__block_diagonal_entry(B, j)));
  if (fabs(a - b) <= ROUNDING * scale) {
    s->out->rounding = true;
    return true;
  }
  *s->out = (ovk__mismatch){true, s->out->rounding, B->first + i, B->first + j, a, b};
  return false;
}

/* Entries above the diagonal of row j, in columns before `until`, have no equals below the
 * diagonal. */
static inline bool pass_unmatched(const search *s, ovk_lidx j, ovk_lidx until)
{
  const ovk__block *B = s->B;
  for (; s->upper[j] < B->ptr[j + 1] && B->col[s->upper[j]] < until; s->upper[j]++) {
    if (!block_equal(s, B->col[s->upper[j]], j, 0, B->val[s->upper[j]])) return false;
  }
  return true;
}

/* A(i,j), j < i, is entry k. */
static inline bool block_match_entry(const search *s, ovk_lidx i, int64_t k)
{
  const ovk__block *B = s->B;
  const ovk_lidx j = B->col[k];
  if (!pass_unmatched(s, j, i)) return false;
  const bool found = s->upper[j] < B->ptr[j + 1] && B->col[s->upper[j]] == i;
  return block_equal(s, i, j, B->val[k], found ? B->val[s->upper[j]++] : 0);
}

/* Entries below the diagonal, row by row, meet those above it in the order of their columns. */
static bool block_match(const search *s)
{
  const ovk__block *B = s->B;
  for (ovk_lidx i = 0; i < B->n; i++) {
    int64_t k = B->ptr[i];
    for (; k < B->ptr[i + 1] && B->col[k] < i; k++) {
      if (!block_match_entry(s, i, k)) return false;
    }
    s->upper[i] = k + (k < B->ptr[i + 1] && B->col[k] == i);
  }
  for (ovk_lidx j = 0; j < B->n; j++) {
    if (!pass_unmatched(s, j, B->n)) return false;
  }
  return true;
}

ovk_err ovk__block_find_asymmetry(const ovk__block *B, ovk__mismatch *out)
{
  search s = {.B = B, .out = out};
  *out = (ovk__mismatch){0};
  if (B->symmetric) return OVK_OK;
  OVK_NEW_ARRAY(B->ctx, s.upper, B->n);
  block_match(&s);
  free(s.upper);
  return OVK_OK;
}

ovk_err ovk__asymmetry_error(ovk_ctx *ctx, const char *who, const ovk__mismatch *a)
{
  OVK_CHECK(!a->found, ctx, OVK_ERR_ARG,
            "%s needs a symmetric A: row %lld, column %lld is %.17g, but row %lld, column %lld is "
            "%.17g",
            who, (long long)a->row, (long long)a->column, a->value, (long long)a->column,
            (long long)a->row, a->mirrored);
  return OVK_OK;
}

ovk_err ovk__block_check_symmetric(const ovk__block *B, const char *who)
{
  ovk__mismatch a;
  OVK_TRY(ovk__block_find_asymmetry(B, &a));
  return ovk__asymmetry_error(B->ctx, who, &a);
}
