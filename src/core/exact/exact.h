/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums of doubles by additions of 64-bit integers alone, which NICs can perform.
 * This is arithmetic without communication: the backend verbs adds such numbers by NICs, and the
 * solver its inner products (exact_window.h).
 *
 * A number is 66 limbs and a word of flags. Limb k, two's complement, counts units of 2^(32k-1074):
 * the smallest positive double is one unit of limb 0, and the largest ends in limb 65. The
 * flags count +Inf, -Inf and NaN, in 21 bits each. No carries pass from word to word
 * before ovk__exact_round(), so everything is linear modulo 2^64. Word by word, the sum of numbers
 * is the number of the sum, in any order. The difference of two states of an accumulator is the
 * number of the sum added between them, however often its words have wrapped around.
 *
 * Why 64 bits suffice: a double adds less than 2^32 in magnitude to a limb. So N of them stay
 * within N (2^32 - 1), which is at most 2^63 - 2^31 for N <= 2^31: even with the carry from the
 * limb below, of at most 2^31, no limb leaves 64 bits, the last one included. A field of the flags
 * holds 2^21 - 1, which sets the limit OVK__EXACT_MOST_PARTS. It applies to a number that is
 * rounded, not to the accumulator whose states were subtracted. */
#ifndef OVK_CORE_EXACT_EXACT_H
#define OVK_CORE_EXACT_EXACT_H

#include <stddef.h>
#include <stdint.h>

enum {
  OVK__EXACT_LIMBS = 66,
  OVK__EXACT_FLAGS = OVK__EXACT_LIMBS, /* index of the flags */
  OVK__EXACT_WORDS,
  OVK__EXACT_MOST_SHARES = 3,
  OVK__EXACT_MOST_PARTS = (1 << 21) - 1 /* doubles in a number that is rounded */
};

/* The part of a double in one word; negative values as two's complement. */
typedef struct ovk__share {
  int word;
  int64_t addend;
} ovk__share;

/* Computes the shares of a double, in ascending order of words, with nonzero addends; returns their
 * number. None for +-0; up to three of magnitudes below 2^32 in adjacent words; one, of the flags,
 * for Inf and NaN. */
int ovk__exact_split(double value, ovk__share shares[OVK__EXACT_MOST_SHARES]);

/* words <- words + value */
void ovk__exact_add_value(uint64_t words[OVK__EXACT_WORDS], double value);

/* n numbers, each OVK__EXACT_WORDS words of uint64_t: to <- to + from; to <- to - from. */
void ovk__exact_add(void *to, const void *from, size_t n);
void ovk__exact_subtract(void *to, const void *from, size_t n);

/* The double nearest to a number, ties to even: +-Inf from 2^1024 - 2^970 on, denormals exactly,
 * and +0 for 0. If infinities or NaNs were added: that infinity, or one fixed NaN. The bits are
 * built from integers, so the floating-point environment does not matter. */
double ovk__exact_round(const uint64_t words[OVK__EXACT_WORDS]);

/* The same for n <= OVK__EXACT_LIMBS limbs; the first counts units of 2^(base - 1074). */
double ovk__exact_round_limbs(const uint64_t *limbs, int n, int base);

#endif
