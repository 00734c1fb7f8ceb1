/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a block is symmetric. Rows are gone through once, and what is left of the diagonal is
 * looked for above it: since rows come in increasing order, the entries of any row j right of its
 * diagonal are asked for in increasing order, too, and one cursor a row finds them all. */
#include "matrix/formats/symmetry.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

typedef struct place {
  ovk_lidx row, col;
} place;

static bool same_bits(const double *a, const double *b)
{
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x == y;
}

/* Matches row i's entries left of the diagonal; next[j] is the first entry of row j, right of its
 * diagonal, that has not been matched. */
static bool row_matches(const ovk__csr *A, int64_t *next, ovk_lidx i, place *odd)
{
  const int64_t end = A->ptr[i + 1];
  int64_t k = A->ptr[i];
  for (; k < end && A->col[k] < i; k++) {
    const ovk_lidx j = A->col[k];
    const int64_t other = next[j];
    const ovk_lidx found = other < A->ptr[j + 1] ? A->col[other] : INT32_MAX;
    if (found != i || !same_bits(&A->val[k], &A->val[other])) {
      *odd = found < i ? (place){j, found} : (place){i, j};
      return false;
    }
    next[j] = other + 1;
  }
  next[i] = k < end && A->col[k] == i ? k + 1 : k;
  return true;
}

/* Whether nothing of row i was left over. */
static bool row_done(const ovk__csr *A, const int64_t *next, ovk_lidx i, place *odd)
{
  if (next[i] == A->ptr[i + 1]) return true;
  *odd = (place){i, A->col[next[i]]};
  return false;
}

ovk_err ovk__symmetry_check(ovk_ctx *ctx, const ovk__csr *A, bool *symmetric, ovk_lidx *row,
                            ovk_lidx *col)
{
  bool same = true;
  place odd = {-1, -1};
  int64_t *next;
  OVK_NEW_ARRAY(ctx, next, A->rows);
  for (ovk_lidx i = 0; i < A->rows && same; i++) same = row_matches(A, next, i, &odd);
  for (ovk_lidx i = 0; i < A->rows && same; i++) same = row_done(A, next, i, &odd);
  free(next);
  *symmetric = same;
  *row = odd.row;
  *col = odd.col;
  return OVK_OK;
}

ovk_err ovk__symmetry_require(ovk_ctx *ctx, const ovk__csr *A)
{
  bool symmetric;
  ovk_lidx row, col;
  OVK_TRY(ovk__symmetry_check(ctx, A, &symmetric, &row, &col));
  OVK_CHECK(symmetric, ctx, OVK_ERR_UNSUPPORTED,
            "the local block is not symmetric: entry (%d,%d) of it has no equal counterpart", row,
            col);
  return OVK_OK;
}
