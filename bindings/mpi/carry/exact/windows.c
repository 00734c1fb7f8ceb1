/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums of many doubles in two short messages. */
#include "carry/exact/windows.h"
#include "core/exact/exact_window.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

_Static_assert((int)CARRY_WINDOW_WORDS == (int)OVK__WINDOW_WORDS, "words of a number");

enum { FRACTION_BITS = 52, MOST_EXPONENT = 0x7ff, BIAS = 1023 };

void carry_window_exponents(const double *reals, int n, int *exponents)
{
  for (int k = 0; k < n; k++) {
    uint64_t bits;
    memcpy(&bits, &reals[k], sizeof bits);
    exponents[k] = (int)(bits >> FRACTION_BITS) & MOST_EXPONENT;
  }
}

/* No part is as large as twice this power of two; infinities fit in no window. */
static int window_for(int exponent)
{
  return ovk__window_of(ldexp(1, (exponent < MOST_EXPONENT ? exponent : 0) - BIAS), 0);
}

void carry_window_put(const double *reals, const int *exponents, int n, double *words)
{
  for (int k = 0; k < n; k++, words += CARRY_WINDOW_WORDS) {
    ovk__window_put(reals[k], window_for(exponents[k]), words);
  }
}

bool carry_window_get(const double words[CARRY_WINDOW_WORDS], int exponent, double *sum)
{
  return ovk__window_round(words, window_for(exponent), sum);
}
