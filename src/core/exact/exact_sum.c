/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums without rounding errors, as integers in a window of 100 to 200 bits (exact_fold.h). Rows
 * with terms that do not fit in it are added again with another window, or else one by one. So a
 * sum does not depend on its windows. */
#include "core/exact/exact_sum.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { LEAST_FOLDS = 2, TERM_BITS = 53, LIMB_BITS = 32, ZERO_AT = 1074 };
enum { BLOCK = OVK__EXACT_BLOCK, SMALL_BLOCK = 128, SAMPLE = 16 }; /* rows */
enum { LEAST_EXPONENT = OVK__LEAST_FOLD_EXPONENT, MOST_EXPONENT = OVK__MOST_FOLD_EXPONENT };
enum { HEADROOM = 8 };
static const uint64_t LIMB = 0xffffffff, MAGNITUDE = (uint64_t)INT64_MAX;

static int exponent_of(double term)
{
  uint64_t bits;
  memcpy(&bits, &term, sizeof bits);
  return (int)((bits & MAGNITUDE) >> 52) - 1023;
}

/* The exponents of terms that are not 0: those of the largest and of the smallest. */
typedef struct span {
  int most, least;
} span;

/* Of the products of some rows, each `step` after the other; `most` is within the limits, or above
 * them if a term is too large, NaN, or infinite. */
OVK_FOR_EACH_CPU
static span exact_sum_span(ovk_lidx n, ovk_lidx step, const double *x, const double *y)
{
  span s = {LEAST_EXPONENT, MOST_EXPONENT};
  for (ovk_lidx i = 0; i < n; i += step) {
    const double term = x[i] * y[i];
    const int exponent = exponent_of(term);
    s.most = exponent > s.most ? exponent : s.most;
    s.least = term != 0 && exponent < s.least ? exponent : s.least;
  }
  return s;
}

/* The window for the next rows, if they are as those with this span. */
static void exact_sum_set_window(ovk__exact_sum *sum, span s)
{
  sum->exponent = s.most < MOST_EXPONENT - HEADROOM ? s.most + HEADROOM : MOST_EXPONENT;
  const int needed = (sum->exponent - s.least + TERM_BITS - 1) / OVK__FOLD_BITS + 1;
  sum->folds = needed < LEAST_FOLDS       ? LEAST_FOLDS
               : needed < OVK__MOST_FOLDS ? needed
                                          : OVK__MOST_FOLDS;
  sum->ready = true;
}

static void exact_sum_reach(ovk__exact_sum *sum, int first, int end)
{
  if (first < sum->first) sum->first = first;
  if (end > sum->end) sum->end = end;
}

/* sum <- sum + value 2^(at - 1074), where value is in two's complement */
static void exact_sum_add_integer(ovk__exact_sum *sum, uint64_t value, int at)
{
  const bool negative = value >> 63;
  const uint64_t size = negative ? 0 - value : value;
  const int k = at / LIMB_BITS, up = at % LIMB_BITS, down = LIMB_BITS - up;
  const uint64_t pieces[] = {size << up & LIMB, size >> down & LIMB, size >> LIMB_BITS >> down};
  for (int l = 0; l < 3 && k + l < OVK__EXACT_LIMBS; l++) {
    sum->words[k + l] += negative ? 0 - pieces[l] : pieces[l];
  }
  exact_sum_reach(sum, k, k + 3 < OVK__EXACT_LIMBS ? k + 3 : OVK__EXACT_LIMBS);
}

/* sum <- sum + the terms of some folds */
static void exact_sum_add_folds(ovk__exact_sum *sum, const ovk__folds *f, int folds, int exponent)
{
  for (int k = 0; k < folds; k++) {
    const int at = exponent - (k + 1) * OVK__FOLD_BITS + ZERO_AT;
    int64_t high, low;
    ovk__folds_total(f, k, &high, &low);
    exact_sum_add_integer(sum, (uint64_t)low, at);
    if (high) exact_sum_add_integer(sum, (uint64_t)high, at + LIMB_BITS);
  }
}

void ovk__exact_sum_settle(ovk__exact_sum *sum)
{
  if (sum->now.terms == 0) return;
  exact_sum_add_folds(sum, &sum->now, sum->folds, sum->exponent);
  memset(sum->now.lane, 0, (size_t)sum->folds * sizeof sum->now.lane[0]);
  sum->now.terms = 0;
}

static void exact_sum_add_term(ovk__exact_sum *sum, double term)
{
  ovk__share shares[OVK__EXACT_MOST_SHARES];
  if (!isfinite(term)) {
    sum->unusual += term;
    return;
  }
  const int many = ovk__exact_split(term, shares);
  for (int k = 0; k < many; k++) sum->words[shares[k].word] += (uint64_t)shares[k].addend;
  if (many) exact_sum_reach(sum, shares[0].word, shares[many - 1].word + 1);
}

static void exact_sum_one_by_one(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  for (ovk_lidx i = 0; i < n; i++) exact_sum_add_term(sum, x[i] * y[i]);
}

/* Rounded terms, as the folds have them. */
static void exact_sum_round_one_by_one(ovk__exact_sum *sum, ovk_lidx n, const double *x,
                                       const double *y)
{
  const double least = ovk__power_of_two(sum->exponent + 1);
  const double magic = 1.5 * ovk__power_of_two(sum->exponent - OVK__FOLD_BITS + 52);
  for (ovk_lidx i = 0; i < n; i++) {
    const double term = x[i] * y[i], rounded = (term + magic) - magic;
    exact_sum_add_term(sum, fabs(term) < least ? rounded : term);
  }
}

/* Adds some rows with as large a window as there is, if their terms fit. */
static bool exact_sum_try(ovk__exact_sum *sum, int exponent, ovk_lidx n, const double *x,
                          const double *y)
{
  ovk__folds f;
  if (exponent > MOST_EXPONENT) return false;
  memset(&f, 0, sizeof f);
  if (!ovk__folds_add(&f, OVK__MOST_FOLDS, exponent, n, x, y)) return false;
  exact_sum_add_folds(sum, &f, OVK__MOST_FOLDS, exponent);
  return true;
}

/* Adds rows that do not fit: in a window of their own, or a few rows at a time. The window of the
 * next rows is as that of these terms. */
static void exact_sum_again(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  const span s = exact_sum_span(n, 1, x, y);
  ovk__exact_sum_settle(sum);
  exact_sum_set_window(sum, s);
  if (exact_sum_try(sum, s.most, n, x, y)) return;
  for (ovk_lidx i = 0; i < n; i += SMALL_BLOCK) {
    const ovk_lidx some = n - i < SMALL_BLOCK ? n - i : SMALL_BLOCK;
    const int exponent = exact_sum_span(some, 1, x + i, y + i).most;
    if (!exact_sum_try(sum, exponent, some, x + i, y + i)) {
      exact_sum_one_by_one(sum, some, x + i, y + i);
    }
  }
}

void ovk__exact_sum_clear(ovk__exact_sum *sum)
{
  for (int k = sum->first; k < sum->end; k++) sum->words[k] = 0;
  if (sum->now.terms) memset(&sum->now, 0, sizeof sum->now);
  sum->first = OVK__EXACT_LIMBS;
  sum->end = 0;
  sum->ready = false;
  sum->folds = 0;
  sum->unusual = 0;
}

void ovk__exact_sum_clear_rough(ovk__exact_sum *sum, int unit)
{
  ovk__exact_sum_clear(sum);
  sum->exponent = unit + OVK__FOLD_BITS;
  sum->folds = 1;
  sum->ready = true;
}

void ovk__exact_sum_copy(ovk__exact_sum *from, ovk__exact_sum *to)
{
  ovk__exact_sum_settle(from);
  ovk__exact_sum_clear(to);
  for (int k = from->first; k < from->end; k++) to->words[k] = from->words[k];
  to->first = from->first;
  to->end = from->end;
  to->unusual = from->unusual;
}

static bool exact_sum_is_full(const ovk__exact_sum *sum)
{
  return sum->now.terms > OVK__MOST_FOLDED - BLOCK;
}

bool ovk__exact_sum_takes(const ovk__exact_sum *sum)
{
  return sum->ready && sum->folds <= LEAST_FOLDS && !exact_sum_is_full(sum);
}

void ovk__exact_sum_expect(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  if (!sum->ready) exact_sum_set_window(sum, exact_sum_span(n, n / SAMPLE + 1, x, y));
}

void ovk__exact_sum_add(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  for (ovk_lidx i = 0, some; i < n; i += some) {
    some = n - i < BLOCK ? n - i : BLOCK;
    if (exact_sum_is_full(sum)) {
      ovk__exact_sum_settle(sum);
      sum->ready = sum->folds <= LEAST_FOLDS; /* wide windows cost time: are they still needed? */
    }
    ovk__exact_sum_expect(sum, some, x + i, y + i);
    if (ovk__folds_add(&sum->now, sum->folds, sum->exponent, some, x + i, y + i)) continue;
    if (sum->folds == 1) {
      exact_sum_round_one_by_one(sum, some, x + i, y + i);
    } else {
      exact_sum_again(sum, some, x + i, y + i);
    }
  }
}
