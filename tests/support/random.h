/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers that are the same in every run. */
#ifndef OVK_TEST_RANDOM_H
#define OVK_TEST_RANDOM_H

#include <stdint.h>

/* A uniform number in [0,1) from a seed and an index, the same on every rank. */
double random_number(uint64_t seed, uint64_t index);

#endif
