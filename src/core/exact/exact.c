/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums: conversion of doubles to shares of limbs and back, in unsigned arithmetic, which
 * wraps around. */
#include "core/exact/exact.h"

#include <stdbool.h>
#include <string.h>

/* A double is [sign][11 bits of exponent][52 bits of fraction]. */
#define FRACTION (((uint64_t)1 << 52) - 1)
#define HIDDEN ((uint64_t)1 << 52) /* the leading bit, which is 1 where the exponent is not 0 */
#define INFINITE ((uint64_t)0x7ff << 52)
#define NOT_A_NUMBER ((uint64_t)0xfff << 51)
#define NEGATIVE ((uint64_t)1 << 63)
enum { FRACTION_BITS = 52, MOST_EXPONENT = 0x7ff };

/* The first bits of the fields of the flags. */
enum { PLUS_INFINITIES = 0, MINUS_INFINITIES = 21, NANS = 42, FIELD = (1 << 21) - 1 };

enum { LIMB_BITS = 32, DIGITS = OVK__EXACT_LIMBS + 1 };
#define LIMB (((uint64_t)1 << LIMB_BITS) - 1)

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static ovk__share flag(uint64_t bits)
{
  const int field = bits & FRACTION ? NANS : bits & NEGATIVE ? MINUS_INFINITIES : PLUS_INFINITIES;
  return (ovk__share){OVK__EXACT_FLAGS, (int64_t)1 << field};
}

/* The significand, an integer, begins at bit exponent - 1: exponents 0 and 1 both mean bit 0. */
int ovk__exact_split(double value, ovk__share shares[OVK__EXACT_MOST_SHARES])
{
  const uint64_t bits = bits_of(value);
  const int exponent = (int)(bits >> FRACTION_BITS) & MOST_EXPONENT;
  if (exponent == MOST_EXPONENT) {
    shares[0] = flag(bits);
    return 1;
  }
  const uint64_t significand = (bits & FRACTION) | (exponent ? HIDDEN : 0);
  const int at = exponent ? exponent - 1 : 0;
  const int up = at % LIMB_BITS, down = LIMB_BITS - up;
  const uint64_t pieces[] = {significand << up & LIMB, significand >> down & LIMB,
                             significand >> LIMB_BITS >> down};
  int n = 0;
  for (int k = 0; k < OVK__EXACT_MOST_SHARES; k++) {
    const int64_t piece = (int64_t)pieces[k];
    shares[n] = (ovk__share){at / LIMB_BITS + k, bits & NEGATIVE ? -piece : piece};
    n += piece != 0;
  }
  return n;
}

void ovk__exact_add_value(uint64_t words[OVK__EXACT_WORDS], double value)
{
  ovk__share shares[OVK__EXACT_MOST_SHARES];
  const int n = ovk__exact_split(value, shares);
  for (int k = 0; k < n; k++) words[shares[k].word] += (uint64_t)shares[k].addend;
}

void ovk__exact_add(void *to, const void *from, size_t n)
{
  uint64_t *restrict a = to;
  const uint64_t *restrict b = from;
  for (size_t i = 0; i < n * OVK__EXACT_WORDS; i++) a[i] += b[i];
}

void ovk__exact_subtract(void *to, const void *from, size_t n)
{
  uint64_t *restrict a = to;
  const uint64_t *restrict b = from;
  for (size_t i = 0; i < n * OVK__EXACT_WORDS; i++) a[i] -= b[i];
}

/* A number as digits in base 2^32; the lowest counts units of 2^(base - 1074). */
typedef struct exact_digits {
  int n, base;
  uint32_t digit[DIGITS + 2]; /* two more, which are 0, for exact_bits_from() */
} exact_digits;

/* Propagates carries: the digits of a number of d->n - 1 limbs, or of its negative. Returns whether
 * it is negative; then the digits are meaningless. Limbs are raised by 2^63, which makes them
 * nonnegative, and raises carries by 2^31. */
static bool exact_carry(const uint64_t *limbs, bool negate, exact_digits *d)
{
  const uint64_t raised = (uint64_t)1 << 63, carry_raised = raised >> LIMB_BITS;
  uint64_t carry = carry_raised;
  const int n = d->n - 1;
  for (int k = 0; k < n; k++) {
    const uint64_t limb = negate ? 0 - limbs[k] : limbs[k];
    const uint64_t sum = limb + (raised - carry_raised) + carry;
    d->digit[k] = (uint32_t)(sum & LIMB);
    carry = sum >> LIMB_BITS;
  }
  d->digit[n] = (uint32_t)(carry - carry_raised);
  d->digit[n + 1] = d->digit[n + 2] = 0;
  return carry < carry_raised;
}

/* The position of the highest set bit; -1: none is set. */
static int exact_highest_bit(const exact_digits *d)
{
  int k = d->n - 1;
  while (k >= 0 && !d->digit[k]) k--;
  if (k < 0) return -1;
  return k * LIMB_BITS + LIMB_BITS - 1 - __builtin_clz(d->digit[k]);
}

/* The 64 bits from a position on. */
static uint64_t exact_bits_from(const exact_digits *d, int at)
{
  const uint32_t *digit = &d->digit[at / LIMB_BITS];
  const int up = at % LIMB_BITS, down = LIMB_BITS - up;
  const uint64_t two = (uint64_t)digit[1] << LIMB_BITS | digit[0], third = digit[2];
  return two >> up | third << LIMB_BITS << down;
}

static bool exact_any_below(const exact_digits *d, int at)
{
  const int whole = at / LIMB_BITS;
  uint32_t any = d->digit[whole] & (((uint32_t)1 << at % LIMB_BITS) - 1);
  for (int k = 0; k < whole; k++) any |= d->digit[k];
  return any;
}

/* The bits of the nearest double. The leading bit of the significand is added to the exponent field
 * and increments it; rounding up may increment it again, up to infinity. */
static uint64_t exact_nearest(const exact_digits *d)
{
  const int highest = exact_highest_bit(d);
  if (highest < 0) return 0;
  if (highest + d->base <= FRACTION_BITS) return exact_bits_from(d, 0) << d->base; /* exact */
  const int at = highest - FRACTION_BITS; /* of the last bit of the significand */
  if (at + d->base >= MOST_EXPONENT - 1) return INFINITE;
  const uint64_t exponent = (uint64_t)(at + d->base) << FRACTION_BITS;
  if (at <= 0) return exponent + (exact_bits_from(d, 0) << -at); /* exact */
  const uint64_t below = exponent + exact_bits_from(d, at);
  const bool half = exact_bits_from(d, at - 1) & 1;
  return below + (half && (below & 1 || exact_any_below(d, at - 1)));
}

double ovk__exact_round_limbs(const uint64_t *limbs, int n, int base)
{
  exact_digits d; /* not set to 0, which would take longer than all else for a few limbs */
  d.n = n + 1;
  d.base = base;
  const bool negative = exact_carry(limbs, false, &d);
  if (negative) exact_carry(limbs, true, &d);
  return double_of(exact_nearest(&d) | (negative ? NEGATIVE : 0));
}

static double round_flags(uint64_t flags)
{
  const bool plus = flags >> PLUS_INFINITIES & FIELD, minus = flags >> MINUS_INFINITIES & FIELD;
  const bool nan = flags >> NANS || (plus && minus);
  return double_of(nan ? NOT_A_NUMBER : minus ? NEGATIVE | INFINITE : INFINITE);
}

double ovk__exact_round(const uint64_t words[OVK__EXACT_WORDS])
{
  if (words[OVK__EXACT_FLAGS]) return round_flags(words[OVK__EXACT_FLAGS]);
  return ovk__exact_round_limbs(words, OVK__EXACT_LIMBS, 0);
}
