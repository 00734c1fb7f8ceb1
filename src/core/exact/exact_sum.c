/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums without rounding errors, as integers in a window of 100 to 200 bits. Adding 1.5 2^52 u to a
 * term leaves the nearest multiple of u in the low bits of the sum. These bits are added as
 * integers: first for u = 2^(E - 50), then for the rest and u = 2^(E - 100), and so on. Rows with
 * terms above the window or with bits below it are found by the bits that remain. They are added
 * again with another window, or else one by one. So a sum does not depend on its windows. */
#include "core/exact/exact_sum.h"
#include "core/base/lanes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { FOLD = 50, FOLDS = 4, LEAST_FOLDS = 2, TERM_BITS = 53, LIMB_BITS = 32, ZERO_AT = 1074 };
enum { BLOCK = 1024, SMALL_BLOCK = 128, SAMPLE = 32 }; /* rows */
enum { LEAST_EXPONENT = -820, MOST_EXPONENT = 1000, HEADROOM = 8 };
static const uint64_t LIMB = 0xffffffff, MAGNITUDE = (uint64_t)INT64_MAX;

typedef uint64_t bits_half __attribute__((vector_size(OVK__HALF * sizeof(uint64_t))));

/* The sums of eight interleaved terms in each unit; bits that are 0 if all terms fit. */
typedef struct folds {
  bits_half sum[FOLDS][2], above, below;
} folds;

/* n units, FOLDS or fewer, a compile-time constant; m: 1.5 2^52 units. */
OVK_ALWAYS_INLINE void folds_add(folds *f, int n, ptrdiff_t half, ovk__half *term,
                                 const ovk__half *m)
{
  for (int k = 0; k < n; k++) {
    const ovk__half q = *term + m[k];
    f->sum[k][half] += (bits_half)q;
    if (k == 0) f->above |= (bits_half)q ^ (bits_half)m[0];
    *term -= q - m[k];
  }
  f->below |= (bits_half)*term;
}

OVK_ALWAYS_INLINE void folds_add_rows(folds *f, int n, const double *x, const double *y,
                                      const ovk__half *m)
{
  for (ptrdiff_t half = 0; half < 2; half++) {
    ovk__half term, other;
    ovk__half_of_doubles(&term, x + half * OVK__HALF);
    ovk__half_of_doubles(&other, y + half * OVK__HALF);
    ovk__half_scale(&term, &other);
    folds_add(f, n, half, &term, m);
  }
}

/* The sums of a block in the units. */
typedef struct fold_sums {
  uint64_t sum[FOLDS];
  bool fit; /* all terms are multiples of the lowest unit, and below 2^(E + 1) */
} fold_sums;

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* 2^exponent, a normal number */
static double power_of_two(int exponent)
{
  const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Fewer than eight rows at the end are as rows that zeros follow. */
OVK_ALWAYS_INLINE fold_sums exact_sum_fold_rows(int folded, ovk_lidx n, int exponent,
                                                const double *x, const double *y)
{
  ovk__half m[FOLDS];
  double unit[FOLDS];
  folds f;
  memset(&f, 0, sizeof f);
  for (int k = 0; k < folded; k++) {
    unit[k] = 1.5 * power_of_two(exponent - (k + 1) * FOLD + 52);
    m[k] = (ovk__half){unit[k], unit[k], unit[k], unit[k]};
  }
  ovk_lidx i = 0;
  for (; i <= n - OVK__LANES; i += OVK__LANES) folds_add_rows(&f, folded, x + i, y + i, m);
  if (i < n) {
    double rest[2][OVK__LANES] = {{0}};
    memcpy(rest[0], x + i, (size_t)(n - i) * sizeof *x);
    memcpy(rest[1], y + i, (size_t)(n - i) * sizeof *y);
    folds_add_rows(&f, folded, rest[0], rest[1], m);
  }
  const uint64_t terms = (uint64_t)(n / OVK__LANES + (n % OVK__LANES > 0)) * OVK__LANES;
  fold_sums s = {{0}, false};
  uint64_t above = 0, below = 0;
  for (int l = 0; l < OVK__HALF; l++) {
    for (int k = 0; k < folded; k++) s.sum[k] += f.sum[k][0][l] + f.sum[k][1][l];
    above |= f.above[l];
    below |= f.below[l];
  }
  for (int k = 0; k < folded; k++) s.sum[k] -= terms * bits_of(unit[k]);
  s.fit = above >> 52 == 0 && (below & MAGNITUDE) == 0;
  return s;
}

OVK_FOR_EACH_CPU
static fold_sums exact_sum_fold(int folded, ovk_lidx n, int exponent, const double *x,
                                const double *y)
{
  switch (folded) {
  case LEAST_FOLDS:
    return exact_sum_fold_rows(LEAST_FOLDS, n, exponent, x, y);
  case LEAST_FOLDS + 1:
    return exact_sum_fold_rows(LEAST_FOLDS + 1, n, exponent, x, y);
  default:
    return exact_sum_fold_rows(FOLDS, n, exponent, x, y);
  }
}

/* The exponent of the largest term, within the limits; above them if one is too large, NaN, or
 * infinite. */
OVK_FOR_EACH_CPU
static int exact_sum_exponent(ovk_lidx n, const double *x, const double *y)
{
  uint64_t most = 0;
  for (ovk_lidx i = 0; i < n; i++) {
    const double term = x[i] * y[i];
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    bits &= MAGNITUDE;
    most = bits > most ? bits : most;
  }
  const int exponent = (int)(most >> 52) - 1023;
  return exponent < LEAST_EXPONENT ? LEAST_EXPONENT : exponent;
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

/* Adds a block if its terms fit. */
static bool exact_sum_try(ovk__exact_sum *sum, int folded, int exponent, ovk_lidx n,
                          const double *x, const double *y)
{
  if (exponent > MOST_EXPONENT) return false;
  const fold_sums s = exact_sum_fold(folded, n, exponent, x, y);
  if (!s.fit) return false;
  for (int k = 0; k < folded; k++) {
    exact_sum_add_integer(sum, s.sum[k], exponent - (k + 1) * FOLD + ZERO_AT);
  }
  return true;
}

static void exact_sum_one_by_one(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  for (ovk_lidx i = 0; i < n; i++) {
    ovk__share shares[OVK__EXACT_MOST_SHARES];
    const double term = x[i] * y[i];
    if (!isfinite(term)) {
      sum->unusual += term;
      continue;
    }
    const int many = ovk__exact_split(term, shares);
    for (int k = 0; k < many; k++) sum->words[shares[k].word] += (uint64_t)shares[k].addend;
    if (many) exact_sum_reach(sum, shares[0].word, shares[many - 1].word + 1);
  }
}

/* Adds a block that does not fit: with a deeper window, or a few rows at a time. The window of the
 * next block is as that of these terms. */
static void exact_sum_again(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  const int most = exact_sum_exponent(n, x, y);
  sum->exponent = most < MOST_EXPONENT - HEADROOM ? most + HEADROOM : MOST_EXPONENT;
  sum->folds = FOLDS;
  if (exact_sum_try(sum, FOLDS, most, n, x, y)) return;
  for (ovk_lidx i = 0; i < n; i += SMALL_BLOCK) {
    const ovk_lidx some = n - i < SMALL_BLOCK ? n - i : SMALL_BLOCK;
    const int exponent = exact_sum_exponent(some, x + i, y + i);
    if (!exact_sum_try(sum, FOLDS, exponent, some, x + i, y + i)) {
      exact_sum_one_by_one(sum, some, x + i, y + i);
    }
  }
}

void ovk__exact_sum_clear(ovk__exact_sum *sum)
{
  for (int k = sum->first; k < sum->end; k++) sum->words[k] = 0;
  sum->first = OVK__EXACT_LIMBS;
  sum->end = 0;
  sum->ready = false;
  sum->unusual = 0;
}

void ovk__exact_sum_copy(const ovk__exact_sum *from, ovk__exact_sum *to)
{
  ovk__exact_sum_clear(to);
  for (int k = from->first; k < from->end; k++) to->words[k] = from->words[k];
  to->first = from->first;
  to->end = from->end;
  to->unusual = from->unusual;
}

/* The window for the first block, from some of its rows. */
static void exact_sum_start(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  const ovk_lidx step = n / SAMPLE + 1;
  int most = LEAST_EXPONENT, least = MOST_EXPONENT;
  for (ovk_lidx i = 0; i < n; i += step) {
    const double term = x[i] * y[i];
    const int exponent = (int)((bits_of(term) & MAGNITUDE) >> 52) - 1023;
    most = exponent > most ? exponent : most;
    least = term != 0 && exponent < least ? exponent : least;
  }
  sum->exponent = most < MOST_EXPONENT - HEADROOM ? most + HEADROOM : MOST_EXPONENT;
  const int needed = (sum->exponent - least + TERM_BITS - 1) / FOLD + 1;
  sum->folds = needed < LEAST_FOLDS ? LEAST_FOLDS : needed < FOLDS ? needed : FOLDS;
  sum->ready = true;
}

void ovk__exact_sum_add(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  if (!sum->ready && n > 0) exact_sum_start(sum, n < BLOCK ? n : BLOCK, x, y);
  for (ovk_lidx i = 0; i < n; i += BLOCK) {
    const ovk_lidx some = n - i < BLOCK ? n - i : BLOCK;
    if (!exact_sum_try(sum, sum->folds, sum->exponent, some, x + i, y + i)) {
      exact_sum_again(sum, some, x + i, y + i);
    }
  }
}
