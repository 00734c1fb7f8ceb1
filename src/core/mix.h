/* SPDX-License-Identifier: BSD-2-Clause */
/* Mixes 64 bits, so that neighbouring numbers give others that look random: the output function of
 * SplitMix64 (Steele, Lea, Flood, OOPSLA'14). */
#ifndef OVK_CORE_MIX_H
#define OVK_CORE_MIX_H

#include <stdint.h>

static inline uint64_t ovk__mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

#endif
