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
  int64_t *next;      /* of each row, the first entry right of the diagonal without a match yet */
  double *scale;      /* sqrt |a_ii|, for pairs that may differ by rounding; NULL: none may */
  uint64_t differing; /* bits in which entries of a pair differ */
} pass;

static inline uint64_t bits_of(double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static const double MOST = 4 * DBL_EPSILON;

/* Whether rounding explains a - b, for a = a_ij, b = a_ji, relative to themselves. */
static bool symmetry_differ_by_rounding(double a, double b)
{
  const double difference = fabs(a - b);
  return difference <= DBL_MAX && (difference <= MOST * fabs(a) || difference <= MOST * fabs(b));
}

/* Whether two entries are the same, or rounding explains their difference relative to sqrt |a_ii
 * a_jj|, too: elements' contributions to them are summed in different orders. About half of the
 * pairs of such a matrix differ, at random: a branch for that would be mispredicted. */
static inline bool pair_matches(const pass *p, ovk_lidx i, ovk_lidx j, double a, double b)
{
  if (p->scale && fabs(a - b) <= MOST * (p->scale[i] * p->scale[j])) return true;
  return bits_of(a) == bits_of(b) || (p->scale && symmetry_differ_by_rounding(a, b));
}

/* The first entry of row i that is not left of the diagonal. */
static inline int64_t symmetry_find_diagonal(const ovk__csr *A, ovk_lidx i)
{
  int64_t k = A->ptr[i];
  while (k < A->ptr[i + 1] && A->col[k] < i) k++;
  return k;
}

/* Matches row i's entries left of the diagonal. */
static bool symmetry_row_matches(pass *p, ovk_lidx i, place *odd)
{
  const ovk__csr *A = p->A;
  const int64_t diagonal = symmetry_find_diagonal(A, i);
  const bool there = diagonal < A->ptr[i + 1] && A->col[diagonal] == i;
  if (p->scale) {
    p->scale[i] = there && isfinite(A->val[diagonal]) ? sqrt(fabs(A->val[diagonal])) : 0;
  }
  uint64_t differing = 0;
  for (int64_t k = A->ptr[i]; k < diagonal; k++) {
    const ovk_lidx j = A->col[k];
    const int64_t other = p->next[j];
    const ovk_lidx found = other < A->ptr[j + 1] ? A->col[other] : INT32_MAX;
    if (found != i || !pair_matches(p, i, j, A->val[k], A->val[other])) {
      *odd = found < i ? (place){j, found} : (place){i, j};
      return false;
    }
    differing |= bits_of(A->val[k]) ^ bits_of(A->val[other]);
    p->next[j] = other + 1;
  }
  p->differing |= differing;
  p->next[i] = diagonal + there;
  return true;
}

/* The mean of two entries, or both, bit for bit, if they are the same. Without a branch, as above.
 */
static inline double mean_of(double a, double b)
{
  const double mean = 0.5 * a + 0.5 * b;
  const uint64_t same = 0 - (uint64_t)(bits_of(a) == bits_of(b));
  const uint64_t bits = (bits_of(a) & same) | (bits_of(mean) & ~same);
  double out;
  memcpy(&out, &bits, sizeof out);
  return out;
}

/* Both entries of each pair <- their mean, in the order in which they were matched. */
static void symmetry_average_pairs(ovk__csr *A, int64_t *next)
{
  for (ovk_lidx i = 0; i < A->rows; i++) {
    int64_t k = A->ptr[i];
    for (; k < A->ptr[i + 1] && A->col[k] < i; k++) {
      const int64_t other = next[A->col[k]]++;
      A->val[k] = A->val[other] = mean_of(A->val[k], A->val[other]);
    }
    next[i] = k < A->ptr[i + 1] && A->col[k] == i ? k + 1 : k;
  }
}

/* Whether all entries of row i right of the diagonal have been matched. */
static bool symmetry_row_done(const pass *p, ovk_lidx i, place *odd)
{
  const ovk__csr *A = p->A;
  if (p->next[i] == A->ptr[i + 1]) return true;
  *odd = (place){i, A->col[p->next[i]]};
  return false;
}

static bool all_match(pass *p, place *odd)
{
  bool same = true;
  for (ovk_lidx i = 0; i < p->A->rows && same; i++) same = symmetry_row_matches(p, i, odd);
  for (ovk_lidx i = 0; i < p->A->rows && same; i++) same = symmetry_row_done(p, i, odd);
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
    A->rounded = symmetric && p.differing;
    if (A->rounded) symmetry_average_pairs(A, p.next);
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

/* In the order of rows, the values of a row left of the diagonal are met from the first on. */
ovk_err ovk__symmetry_mirror(ovk_ctx *ctx, ovk__csr *A)
{
  int64_t *next; /* of each row, the entry that gets its value next */
  OVK_NEW_ARRAY(ctx, next, A->rows);
  for (ovk_lidx i = 0; i < A->rows; i++) next[i] = A->ptr[i];
  for (ovk_lidx i = 0; i < A->rows; i++) {
    int64_t k = A->ptr[i + 1];
    while (k > A->ptr[i] && A->col[k - 1] > i) k--;
    for (; k < A->ptr[i + 1]; k++) A->val[next[A->col[k]]++] = A->val[k];
  }
  free(next);
  return OVK_OK;
}
