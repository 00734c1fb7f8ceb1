/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums of the products of two arrays without any rounding error but that of the products: the same
 * for any order of the rows and any cut of them into pieces. A sum takes the forms of
 * exact_window.h, in which the sums of the ranks are added. */
#ifndef OVK_CORE_EXACT_EXACT_SUM_H
#define OVK_CORE_EXACT_EXACT_SUM_H

#include "core/exact/exact_fold.h"
#include "core/exact/exact_window.h"

#include <ovkrylov/base.h>

/* All zero but `first`, as ovk__exact_sum_clear() leaves it, the sum is 0. */
typedef struct ovk__exact_sum {
  uint64_t words[OVK__EXACT_LIMBS]; /* exact.h; 0 outside of `first` to end - 1 */
  int first, end;
  int exponent;   /* terms are expected to be below 2^(exponent + 1), */
  int folds;      /* and to have no bits further below it than so many folds of 50 bits; 1: terms
                   * are rounded */
  bool ready;     /* `exponent` has been set */
  double unusual; /* the sum of the terms that are NaN or infinite; 0: there are none */
  ovk__folds now; /* terms that are not in `words` yet */
} ovk__exact_sum;

/* sum <- 0; `sum` is a sum, or all zero. */
void ovk__exact_sum_clear(ovk__exact_sum *sum);

/* A sum of 0 whose terms are rounded to the nearest multiple of 2^unit, ties to even, unless they
 * are 2^(unit + 51) or more: cheaper, for estimates, and with the same bits in any order as well.
 * ovk__exact_sum_clear() ends that. */
void ovk__exact_sum_clear_rough(ovk__exact_sum *sum, int unit);
enum {
  OVK__LEAST_ROUGH_UNIT = OVK__LEAST_FOLD_EXPONENT - OVK__FOLD_BITS,
  OVK__MOST_ROUGH_UNIT = OVK__MOST_FOLD_EXPONENT - OVK__FOLD_BITS
};

/* to <- from, which remains the same sum. */
void ovk__exact_sum_copy(ovk__exact_sum *from, ovk__exact_sum *to);

/* sum <- sum + x_i y_i for i < n, each product rounded once; x may be y. At most 2^31 products may
 * be added to a sum. */
void ovk__exact_sum_add(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y);

/* For sweeps that add the products of a block themselves, in two folds or, where terms are rounded,
 * in one: whether `sum` has such a window, and room for OVK__EXACT_BLOCK rows. */
enum { OVK__EXACT_BLOCK = 1024 };
bool ovk__exact_sum_takes(const ovk__exact_sum *sum);

/* Chooses the window for terms as these, unless there is one. Sums do not depend on windows. */
void ovk__exact_sum_expect(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y);

/* Brings all terms to sum->words, as the functions below do, too. */
void ovk__exact_sum_settle(ovk__exact_sum *sum);

/* words <- the short form; words <- the long form. */
void ovk__exact_sum_put(ovk__exact_sum *sum, int window, double words[OVK__WINDOW_WORDS]);
void ovk__exact_sum_put_long(ovk__exact_sum *sum, double words[OVK__LONG_WORDS]);

#endif
