/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of exact sums of products: adds the products of some rows as integers in a window.
 * Adding 1.5 2^52 u to a term leaves the nearest multiple of u in the low bits of the sum. These
 * bits are added as integers: first for u = 2^(E - 50), then for the rest and u = 2^(E - 100), and
 * so on, a fold for each u. */
#ifndef OVK_CORE_EXACT_EXACT_FOLD_H
#define OVK_CORE_EXACT_EXACT_FOLD_H

#include "core/base/lanes.h"

#include <ovkrylov/base.h>

enum { OVK__FOLD_BITS = 50, OVK__MOST_FOLDS = 4 };
enum { OVK__LEAST_FOLD_EXPONENT = -820, OVK__MOST_FOLD_EXPONENT = 1000 }; /* of windows */

/* Integers in each u, in lanes: the first four, or all where vectors have eight. */
typedef struct ovk__folds {
  uint64_t lane[OVK__MOST_FOLDS][OVK__LANES];
  int64_t terms; /* in all lanes: at most OVK__MOST_FOLDED */
} ovk__folds;

/* Sums of so many terms, each at most 2^51 units in magnitude, stay within 64 bits in each lane. */
enum { OVK__MOST_FOLDED = 1 << 14 };

/* 2^exponent, a normal number */
static inline double ovk__power_of_two(int exponent)
{
  const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* 1.5 2^52 u of fold k, with E = exponent */
static inline double ovk__fold_magic(int k, int exponent)
{
  return 1.5 * ovk__power_of_two(exponent - (k + 1) * OVK__FOLD_BITS + 52);
}

/* Adds x_i y_i for i < n, each product rounded once, with E = exponent. Returns false and adds
 * nothing if a term is 2^(E + 1) or larger, NaN or infinite, or has bits below the last fold. With
 * one fold terms are rounded to its u instead. */
bool ovk__folds_add(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                    const double *y);

/* Its two versions, which give the same bits: for all processors, and for those with vectors of
 * eight; the latter only where OVK_CLONES is defined. */
bool ovk__folds_add_narrow(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                           const double *y);
bool ovk__folds_add_wide(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                         const double *y);

/* The integers of fold k are high 2^32 + low units. */
void ovk__folds_total(const ovk__folds *f, int k, int64_t *high, int64_t *low);

#endif
