/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of the kernel of exact sums. For both kinds of lanes (core/base/lanes.h): each includes
 * it in a separate file. Terms that do not fit are found by the bits that remain, after the rows of
 * a call: the lanes are stored only if all fit. */
#ifndef OVK_CORE_EXACT_EXACT_FOLD_ROWS_H
#define OVK_CORE_EXACT_EXACT_FOLD_ROWS_H

#include "core/exact/exact_fold.h"

#include <stddef.h>
#include <string.h>

#ifdef OVK__WIDE_LANES
enum { FOLD_WIDTH = OVK__LANES };
#else
enum { FOLD_WIDTH = OVK__HALF };
#endif

typedef double fold_vector __attribute__((vector_size(FOLD_WIDTH * sizeof(double))));
typedef uint64_t fold_bits __attribute__((vector_size(FOLD_WIDTH * sizeof(uint64_t))));

/* Bits that are 0 if all terms fit. */
typedef struct fold_rest {
  fold_bits above, below;
} fold_rest;

/* The sums of an inner product in each unit, of a sweep or of a part of it: of the bits of all
 * 1.5 2^52 u + term. */
typedef struct running {
  fold_bits sum[OVK__MOST_FOLDS];
} running;

/* n units, a compile-time constant; m: 1.5 2^52 units. With one unit, the rest of a term is not
 * needed. */
OVK_ALWAYS_INLINE void fold_term(running *f, fold_rest *rest, int n, const fold_vector *a,
                                 const fold_vector *b, const fold_vector *m)
{
  fold_vector term = *a;
  term *= *b;
  for (int k = 0; k < n; k++) {
    const fold_vector q = term + m[k], rounded = q - m[k];
    f->sum[k] += (fold_bits)q;
    if (k == 0) rest->above |= (fold_bits)q ^ (fold_bits)m[0];
    if (n > 1 && k == n - 1) rest->below |= (fold_bits)rounded ^ (fold_bits)term;
    term -= rounded;
  }
}

OVK_ALWAYS_INLINE void fold_rows(running *f, fold_rest *rest, int n, const double *x,
                                 const double *y, const fold_vector *m)
{
  for (ptrdiff_t l = 0; l < OVK__LANES; l += FOLD_WIDTH) {
    fold_vector a, b;
    memcpy(&a, x + l, sizeof a);
    memcpy(&b, y + l, sizeof b);
    fold_term(f, rest, n, &a, &b, m);
  }
}

/* The same for rows in lanes. */
OVK_ALWAYS_INLINE void fold_lanes(running *f, fold_rest *rest, int n, const ovk__lanes *a,
                                  const ovk__lanes *b, const fold_vector *m)
{
#ifdef OVK__WIDE_LANES
  fold_term(f, rest, n, a, b, m);
#else
  fold_term(f, rest, n, &a->low, &b->low, m);
  fold_term(f, rest, n, &a->high, &b->high, m);
#endif
}

/* Fewer than eight rows at the end are as rows that zeros follow. */
OVK_ALWAYS_INLINE void fold_last_rows(running *f, fold_rest *last, int n, size_t rows,
                                      const double *x, const double *y, const fold_vector *m)
{
  double rest[2][OVK__LANES] = {{0}};
  memcpy(rest[0], x, rows * sizeof *x);
  memcpy(rest[1], y, rows * sizeof *y);
  fold_rows(f, last, n, rest[0], rest[1], m);
}

OVK_ALWAYS_INLINE bool fold_fits(const fold_rest *f)
{
  uint64_t above = 0, below = 0;
  for (int l = 0; l < FOLD_WIDTH; l++) {
    above |= f->above[l];
    below |= f->below[l];
  }
  return above >> 52 == 0 && (below & (uint64_t)INT64_MAX) == 0;
}

/* f <- 0 in the first `folds` folds; m <- the addends of terms. */
OVK_ALWAYS_INLINE void fold_begin(running *f, int folds, int exponent, fold_vector *m)
{
  for (int k = 0; k < folds; k++) {
    m[k] = (fold_vector){0} + ovk__fold_magic(k, exponent);
    f->sum[k] = (fold_bits){0};
  }
}

/* Some rows have been added, in full lanes. */
OVK_ALWAYS_INLINE void fold_end(const running *f, const fold_vector *m, ovk__folds *to, int folds,
                                ovk_lidx rows)
{
  const int64_t terms = ((int64_t)rows + OVK__LANES - 1) / OVK__LANES * OVK__LANES;
  for (int k = 0; k < folds; k++) {
    fold_bits all;
    memcpy(&all, to->lane[k], sizeof all);
    all += f->sum[k] - (fold_bits)m[k] * (uint64_t)(terms / FOLD_WIDTH);
    memcpy(to->lane[k], &all, sizeof all);
  }
  to->terms += terms;
}

/* The rows of a call, with a constant number of folds. */
OVK_ALWAYS_INLINE bool fold_all(ovk__folds *out, int folds, int exponent, ovk_lidx n,
                                const double *x, const double *y)
{
  fold_vector m[OVK__MOST_FOLDS];
  running f; /* only the sums in use are set */
  fold_rest rest;
  memset(&rest, 0, sizeof rest);
  fold_begin(&f, folds, exponent, m);
  ovk_lidx i = 0;
  for (; i <= n - OVK__LANES; i += OVK__LANES) fold_rows(&f, &rest, folds, x + i, y + i, m);
  if (i < n) fold_last_rows(&f, &rest, folds, (size_t)(n - i), x + i, y + i, m);
  if (!fold_fits(&rest)) return false;
  fold_end(&f, m, out, folds, n);
  return true;
}

OVK_ALWAYS_INLINE bool fold_any(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                                const double *y)
{
  switch (folds) {
  case 1:
    return fold_all(f, 1, exponent, n, x, y);
  case 2:
    return fold_all(f, 2, exponent, n, x, y);
  case 3:
    return fold_all(f, 3, exponent, n, x, y);
  default:
    return fold_all(f, OVK__MOST_FOLDS, exponent, n, x, y);
  }
}

#endif
