/* SPDX-License-Identifier: BSD-2-Clause */
/* Hashes of 64 bits. */
#ifndef OVK_CORE_BASE_HASH64_H
#define OVK_CORE_BASE_HASH64_H

#include <stdint.h>

/* Mixes bits, so that consecutive numbers give pseudo-random ones: the output function of
 * SplitMix64 (Steele, Lea, Flood, OOPSLA'14). */
static inline uint64_t ovk__mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* The same, as a number in [-1, 1). */
static inline double ovk__mix_number(uint64_t z)
{
  return 0x1p-63 * (double)(ovk__mix(z) >> 1) * 2 - 1;
}

/* Of a text: FNV-1a. */
static inline uint64_t ovk__hash_text(const char *text)
{
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

#endif
