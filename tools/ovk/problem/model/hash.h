/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers that depend only on indices, so that any number of ranks makes the same
 * matrix. */
#ifndef OVK_TOOL_MODEL_HASH_H
#define OVK_TOOL_MODEL_HASH_H

#include "splitmix64.h"

static inline uint64_t hash_index(uint64_t i)
{
  return splitmix64(i);
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
