/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums without rounding errors, as integers in a window of 100 bits: adding 1.5 2^52 u to a term
 * leaves the nearest multiple of u in the low bits of the sum, which are added as integers, first
 * for u1 = 2^(E - 50), then for the rest and u2 = 2^(E - 100). Rows with terms above the window or
 * with bits below it are found by the bits that remain, and added again with a window of their own,
 * or else one by one. So a sum does not depend on its windows. */
#include "core/base/exact_sum.h"
#include "core/base/lanes.h"

#include <math.h>
#include <string.h>

enum { FOLD = 50, LIMB_BITS = 32, ZERO_AT = 1074 };
enum { BLOCK = 1024, SMALL_BLOCK = 128, SAMPLE = 64 }; /* rows */
enum { LEAST_EXPONENT = -920, MOST_EXPONENT = 1000, HEADROOM = 8 };
static const uint64_t LIMB = 0xffffffff, MAGNITUDE = (uint64_t)INT64_MAX;

typedef uint64_t bits_half __attribute__((vector_size(OVK__HALF * sizeof(uint64_t))));

/* The sums of two units of eight interleaved terms; what must be 0 in all of them. */
typedef struct folds {
  bits_half high[2], low[2], above, below;
} folds;

OVK_ALWAYS_INLINE void folds_add(folds *f, int half, const ovk__half *term, const ovk__half *m1,
                                 const ovk__half *m2)
{
  const ovk__half q = *term + *m1, rest = *term - (q - *m1), q2 = rest + *m2;
  f->high[half] += (bits_half)q;
  f->low[half] += (bits_half)q2;
  f->above |= (bits_half)q ^ (bits_half)*m1;
  f->below |= (bits_half)(rest - (q2 - *m2));
}

OVK_ALWAYS_INLINE void folds_add_rows(folds *f, const double *x, const double *y,
                                      const ovk__half *m1, const ovk__half *m2)
{
  for (int half = 0; half < 2; half++) {
    ovk__half term, other;
    ovk__half_of_doubles(&term, x + half * OVK__HALF);
    ovk__half_of_doubles(&other, y + half * OVK__HALF);
    ovk__half_scale(&term, &other);
    folds_add(f, half, &term, m1, m2);
  }
}

/* The sums of a block in units of 2^(E - 50) and 2^(E - 100). */
typedef struct fold_sums {
  uint64_t high, low;
  bool fit; /* all terms are multiples of the lower unit, and below 2^(E + 1) */
} fold_sums;

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Fewer than eight rows at the end are as rows that zeros follow. */
OVK_FOR_EACH_CPU
static fold_sums exact_sum_fold(ovk_lidx n, int exponent, const double *x, const double *y)
{
  const double one = ldexp(1.5, exponent - FOLD + 52), two = ldexp(1.5, exponent - 2 * FOLD + 52);
  const ovk__half m1 = {one, one, one, one}, m2 = {two, two, two, two};
  folds f = {0};
  ovk_lidx i = 0;
  for (; i <= n - OVK__LANES; i += OVK__LANES) folds_add_rows(&f, x + i, y + i, &m1, &m2);
  if (i < n) {
    double rest[2][OVK__LANES] = {{0}};
    memcpy(rest[0], x + i, (size_t)(n - i) * sizeof *x);
    memcpy(rest[1], y + i, (size_t)(n - i) * sizeof *y);
    folds_add_rows(&f, rest[0], rest[1], &m1, &m2);
  }
  const uint64_t vectors = (uint64_t)(n / OVK__LANES + (n % OVK__LANES > 0)) * OVK__LANES;
  fold_sums s = {0 - vectors * bits_of(one), 0 - vectors * bits_of(two), true};
  uint64_t above = 0, below = 0;
  for (int l = 0; l < OVK__HALF; l++) {
    s.high += f.high[0][l] + f.high[1][l];
    s.low += f.low[0][l] + f.low[1][l];
    above |= f.above[l];
    below |= f.below[l];
  }
  s.fit = above >> 52 == 0 && (below & MAGNITUDE) == 0;
  return s;
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
static bool exact_sum_try(ovk__exact_sum *sum, int exponent, ovk_lidx n, const double *x,
                          const double *y)
{
  if (exponent > MOST_EXPONENT) return false;
  const fold_sums s = exact_sum_fold(n, exponent, x, y);
  if (!s.fit) return false;
  exact_sum_add_integer(sum, s.high, exponent - FOLD + ZERO_AT);
  exact_sum_add_integer(sum, s.low, exponent - 2 * FOLD + ZERO_AT);
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

/* Adds a block that does not fit: a few rows at a time. The window of the next block is as the
 * largest of these terms. */
static void exact_sum_split(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  int most = LEAST_EXPONENT;
  for (ovk_lidx i = 0; i < n; i += SMALL_BLOCK) {
    const ovk_lidx some = n - i < SMALL_BLOCK ? n - i : SMALL_BLOCK;
    const int exponent = exact_sum_exponent(some, x + i, y + i);
    if (!exact_sum_try(sum, exponent, some, x + i, y + i)) {
      exact_sum_one_by_one(sum, some, x + i, y + i);
    }
    if (exponent > most) most = exponent;
  }
  sum->exponent = most < MOST_EXPONENT - HEADROOM ? most + HEADROOM : MOST_EXPONENT;
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

void ovk__exact_sum_add(ovk__exact_sum *sum, ovk_lidx n, const double *x, const double *y)
{
  if (!sum->ready && n > 0) {
    const int exponent = exact_sum_exponent(n < SAMPLE ? n : SAMPLE, x, y) + HEADROOM;
    sum->exponent = exponent < MOST_EXPONENT ? exponent : MOST_EXPONENT;
    sum->ready = true;
  }
  for (ovk_lidx i = 0; i < n; i += BLOCK) {
    const ovk_lidx some = n - i < BLOCK ? n - i : BLOCK;
    if (!exact_sum_try(sum, sum->exponent, some, x + i, y + i)) {
      exact_sum_split(sum, some, x + i, y + i);
    }
  }
}
