/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers that are the same in every run. */
#ifndef OVK_TEST_RANDOM_H
#define OVK_TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* A uniform number in [0,1) from a seed and an index, the same on every rank. */
double random_number(uint64_t seed, uint64_t index);

/* Random draws in sequence. Ranks with the same seed that draw in the same order get the same
 * numbers. */
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
