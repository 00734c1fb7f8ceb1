/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers that depend only on indices, so that any number of ranks makes the same
 * matrix. The mixing function is that of SplitMix64 (Steele, Lea, Flood 2014). */
#ifndef OVK_BENCH_HASH_H
#define OVK_BENCH_HASH_H

#include <stdint.h>

static inline uint64_t hash_index(uint64_t i)
{
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline uint64_t hash_pair(uint64_t i, uint64_t j)
{
  return hash_index(hash_index(i) ^ j);
}

/* Uniform in [0,1), from 53 bits of a hash value. */
static inline double hash_unit(uint64_t hash)
{
  return (double)(hash >> 11) * 0x1p-53;
}

#endif
