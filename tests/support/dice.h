/* SPDX-License-Identifier: BSD-2-Clause */
/* Random draws in sequence. Ranks with the same seed that draw in the same order get the same
 * numbers. */
#ifndef OVK_TEST_DICE_H
#define OVK_TEST_DICE_H

#include "support/random.h"

#include <stdbool.h>

typedef struct dice {
  uint64_t seed, casts;
} dice;

/* In [0, 1). */
static inline double dice_unit(dice *d)
{
  return random_number(d->seed, d->casts++);
}

/* 0 to n - 1. */
static inline int dice_below(dice *d, int n)
{
  return (int)(dice_unit(d) * n);
}

/* True once in n times. */
static inline bool dice_once_in(dice *d, int n)
{
  return dice_below(d, n) == 0;
}

#endif
