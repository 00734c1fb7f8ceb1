/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers by row, so that right-hand sides do not depend on the number of ranks. */
#ifndef OVK_TOOL_RANDOM_VALUE_H
#define OVK_TOOL_RANDOM_VALUE_H

#include "splitmix64.h"

#include <ovkrylov/base.h>

/* A uniform number in [-1,1). */
static inline double random_value(ovk_gidx row)
{
  return (double)(splitmix64((uint64_t)row) >> 11) * 0x1p-52 - 1; /* 53 bits */
}

#endif
