/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers that depend only on indices, so that any number of ranks makes the same
 * matrix and the same right-hand side. */
#ifndef OVK_TOOL_SPLITMIX64_H
#define OVK_TOOL_SPLITMIX64_H

#include <ovkrylov/base.h>
#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t splitmix64(uint64_t n)
{
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline uint64_t hash_pair(uint64_t i, uint64_t j)
{
  return splitmix64(splitmix64(i) ^ j);
}

/* Uniform in [0,1), from 53 bits of a hash value. */
static inline double hash_unit(uint64_t hash)
{
  return (double)(hash >> 11) * 0x1p-53;
}

/* Uniform in [-1,1), for row i. */
static inline double random_value(ovk_gidx i)
{
  return (double)(splitmix64((uint64_t)i) >> 11) * 0x1p-52 - 1;
}

#endif
