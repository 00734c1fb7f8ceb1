/* SPDX-License-Identifier: BSD-2-Clause */
/* Random bits, and the comparison of sums, for the tests of exact sums. */
#ifndef OVK_TEST_EXACT_RANDOM_H
#define OVK_TEST_EXACT_RANDOM_H

#include "support/test_main.h"

static inline uint64_t random_bits(uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1du;
}

static inline int random_below(uint64_t *state, int n)
{
  return (int)((random_bits(state) >> 33) % (uint64_t)n);
}

/* Compares bits, so that 0 differs from -0, and NaN equals NaN. */
static inline void check_bits(double is, double should)
{
  if (isnan(should)) should = NAN;
  assert_memory_equal(&is, &should, sizeof is);
}

#endif
