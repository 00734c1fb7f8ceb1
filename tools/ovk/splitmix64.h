/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers from consecutive numbers. */
#ifndef OVK_TOOL_SPLITMIX64_H
#define OVK_TOOL_SPLITMIX64_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t splitmix64(uint64_t n)
{
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

#endif
