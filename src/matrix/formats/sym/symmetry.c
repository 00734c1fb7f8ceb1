/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests a block for symmetry in one pass over its rows, which searches the transpose of each entry
 * left of the diagonal. As rows are processed in increasing order, the entries of a row j right of
 * its diagonal are searched in increasing order, too, so that one cursor per row is enough. */
#include "matrix/formats/sym/symmetry.h"
#include "base/mem.h"

#include <stdlib.h>

typedef struct place {
  ovk_lidx row, col;
} place;

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
    if (found != i || !ovk__same_bits(&A->val[k], &A->val[other])) {
      *odd = found < i ? (place){j, found} : (place){i, j};
      return false;
    }
    next[j] = other + 1;
  }
  next[i] = k < end && A->col[k] == i ? k + 1 : k;
  return true;
}

/* Whether all entries of row i right of the diagonal have been matched. */
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
  return symmetric ? OVK_OK : ovk__symmetry_refuse(ctx, row, col);
}

ovk_err ovk__symmetry_refuse(ovk_ctx *ctx, ovk_lidx row, ovk_lidx col)
{
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "the local block is not symmetric: entry (%d,%d) of it has no equal counterpart",
                  row, col);
}
