/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests a block for symmetry in one pass over its rows, which searches for the transpose of each
 * entry left of the diagonal. As rows are processed in increasing order, the entries of a row j
 * right of its diagonal are searched in increasing order, too, so that one cursor per row is
 * enough. */
#include "matrix/formats/sym/symmetry.h"
#include "core/context/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct place {
  ovk_lidx row, col;
} place;

/* A pass over a block. */
typedef struct pass {
  const ovk__csr *A;
  int64_t *next; /* of each row, the first entry right of the diagonal without a match yet */
  double *scale; /* sqrt |a_ii|, for pairs that may differ by rounding; NULL: none may */
  bool rounded;  /* there was one; `scale` is set since */
  bool average;  /* such pairs get their mean */
} pass;

/* Whether rounding explains a - b, for a = a_ij, b = a_ji, scale = sqrt |a_ii a_jj|: elements'
 * contributions to a and b are summed in different orders. */
static bool differ_by_rounding(double scale, double a, double b)
{
  const double difference = fabs(a - b), most = 4 * DBL_EPSILON;
  return difference <= DBL_MAX && (difference <= most * scale || difference <= most * fabs(a) ||
                                   difference <= most * fabs(b));
}

static void symmetry_find_scale(const ovk__csr *A, double *scale)
{
  for (ovk_lidx i = 0; i < A->rows; i++) {
    int64_t k = A->ptr[i];
    while (k < A->ptr[i + 1] && A->col[k] < i) k++;
    const bool there = k < A->ptr[i + 1] && A->col[k] == i && isfinite(A->val[k]);
    scale[i] = there ? sqrt(fabs(A->val[k])) : 0;
  }
}

static bool pair_matches(pass *p, ovk_lidx i, ovk_lidx j, double *a, double *b)
{
  if (ovk__same_bits(a, b)) return true;
  if (!p->scale) return false;
  if (!p->rounded) symmetry_find_scale(p->A, p->scale);
  p->rounded = true;
  if (!differ_by_rounding(p->scale[i] * p->scale[j], *a, *b)) return false;
  if (p->average) *a = *b = 0.5 * *a + 0.5 * *b;
  return true;
}

/* Matches row i's entries left of the diagonal. */
static bool row_matches(pass *p, ovk_lidx i, place *odd)
{
  const ovk__csr *A = p->A;
  const int64_t end = A->ptr[i + 1];
  int64_t k = A->ptr[i];
  for (; k < end && A->col[k] < i; k++) {
    const ovk_lidx j = A->col[k];
    const int64_t other = p->next[j];
    const ovk_lidx found = other < A->ptr[j + 1] ? A->col[other] : INT32_MAX;
    if (found != i || !pair_matches(p, i, j, &A->val[k], &A->val[other])) {
      *odd = found < i ? (place){j, found} : (place){i, j};
      return false;
    }
    p->next[j] = other + 1;
  }
  p->next[i] = k < end && A->col[k] == i ? k + 1 : k;
  return true;
}

/* Whether all entries of row i right of the diagonal have been matched. */
static bool row_done(const pass *p, ovk_lidx i, place *odd)
{
  const ovk__csr *A = p->A;
  if (p->next[i] == A->ptr[i + 1]) return true;
  *odd = (place){i, A->col[p->next[i]]};
  return false;
}

static bool all_match(pass *p, place *odd)
{
  bool same = true;
  for (ovk_lidx i = 0; i < p->A->rows && same; i++) same = row_matches(p, i, odd);
  for (ovk_lidx i = 0; i < p->A->rows && same; i++) same = row_done(p, i, odd);
  return same;
}

ovk_err ovk__symmetry_require(ovk_ctx *ctx, ovk__csr *A, bool exact)
{
  const size_t rows = (size_t)A->rows;
  pass p = {.A = A, .next = ovk__array(rows, sizeof *p.next)};
  place odd = {-1, -1};
  bool symmetric = false;
  if (!exact) p.scale = ovk__array(rows, sizeof *p.scale);
  const bool room = p.next && (exact || p.scale);
  if (room) {
    symmetric = all_match(&p, &odd);
    p.average = p.rounded;
    if (symmetric && p.average) (void)all_match(&p, &odd);
    A->rounded = symmetric && p.average;
  }
  free(p.next);
  free(p.scale);
  OVK_CHECK(room, ctx, OVK_ERR_MEMORY, "no memory for %d rows", A->rows);
  return symmetric ? OVK_OK : ovk__symmetry_refuse(ctx, odd.row, odd.col);
}

ovk_err ovk__symmetry_refuse(ovk_ctx *ctx, ovk_lidx row, ovk_lidx col)
{
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "the local block is not symmetric: entry (%d,%d) of it has no equal counterpart",
                  row, col);
}
