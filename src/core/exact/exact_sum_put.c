/* SPDX-License-Identifier: BSD-2-Clause */
/* The short and the long form of an exact sum, from its digits. */
#include "core/exact/exact_sum.h"

enum { LIMB_BITS = 32 };

/* A sum in base 2^32: sign and digits. The first digit counts units of 2^(32 first - 1074). */
typedef struct sum_digits {
  int first, n;
  bool negative;
  uint32_t digit[OVK__EXACT_LIMBS + 1];
} sum_digits;

/* Propagates carries, of the sum or of its negative; returns the sign of the last carry. */
static bool exact_sum_carry(const ovk__exact_sum *sum, bool negate, sum_digits *d)
{
  int64_t carry = 0;
  for (int k = 0; k < d->n - 1; k++) {
    const uint64_t word = sum->words[d->first + k];
    const uint64_t total = (negate ? 0 - word : word) + (uint64_t)carry;
    d->digit[k] = (uint32_t)total;
    carry = (int64_t)(total >> LIMB_BITS) - (total >> 63 ? (int64_t)1 << LIMB_BITS : 0);
  }
  d->digit[d->n - 1] = (uint32_t)carry;
  return carry < 0;
}

static void exact_sum_digits(ovk__exact_sum *sum, sum_digits *d)
{
  ovk__exact_sum_settle(sum);
  d->first = sum->first;
  d->n = sum->first < sum->end ? sum->end - sum->first + 1 : 0;
  d->negative = d->n && exact_sum_carry(sum, false, d);
  if (d->negative) (void)exact_sum_carry(sum, true, d);
}

static uint32_t digit_at(const sum_digits *d, int k)
{
  return k >= d->first && k < d->first + d->n ? d->digit[k - d->first] : 0;
}

/* The 32 bits from bit `at` on. */
static uint32_t digits_from(const sum_digits *d, int at)
{
  const int k = at / LIMB_BITS, up = at % LIMB_BITS;
  const uint64_t two = (uint64_t)digit_at(d, k + 1) << LIMB_BITS | digit_at(d, k);
  return (uint32_t)(two >> up);
}

/* Whether a bit is set below bit `at`, or at it and above. */
static bool digits_below(const sum_digits *d, int at)
{
  uint32_t any = digit_at(d, at / LIMB_BITS) & (((uint32_t)1 << at % LIMB_BITS) - 1);
  for (int k = d->first; k < at / LIMB_BITS; k++) any |= digit_at(d, k);
  return any;
}

static bool digits_above(const sum_digits *d, int at)
{
  uint32_t any = digit_at(d, at / LIMB_BITS) >> at % LIMB_BITS;
  for (int k = at / LIMB_BITS + 1; k < d->first + d->n; k++) any |= digit_at(d, k);
  return any;
}

void ovk__exact_sum_put(ovk__exact_sum *sum, int window, double words[OVK__WINDOW_WORDS])
{
  sum_digits d;
  exact_sum_digits(sum, &d);
  for (int k = 0; k < OVK__WINDOW_WORDS; k++) words[k] = 0;
  const bool any = d.n && digits_above(&d, 0);
  if (!any && sum->unusual == 0) return;
  if (window < 0 || sum->unusual != 0 || digits_above(&d, window + OVK__WINDOW_BITS)) {
    words[OVK__WINDOW_MISFITS] = OVK__WINDOW_OUTSIDE;
    return;
  }
  if (digits_below(&d, window)) words[OVK__WINDOW_MISFITS] = OVK__WINDOW_LOST;
  for (int k = 0; k < OVK__WINDOW_LIMBS; k++) {
    const double limb = digits_from(&d, window + k * LIMB_BITS);
    words[k] = d.negative ? -limb : limb;
  }
}

void ovk__exact_sum_put_long(ovk__exact_sum *sum, double words[OVK__LONG_WORDS])
{
  sum_digits d;
  exact_sum_digits(sum, &d);
  for (int k = 0; k < OVK__LONG_WORDS; k++) words[k] = 0;
  words[OVK__EXACT_FLAGS] = sum->unusual;
  for (int k = 0; k < d.n; k++) {
    const bool last = d.first + k >= OVK__EXACT_LIMBS; /* is added to the limb before it */
    const double digit = d.negative ? -(double)d.digit[k] : d.digit[k];
    words[d.first + k - last] += last ? digit * 0x1p32 : digit;
  }
}
