/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of floats, if `single`, or of doubles. In kernels `single` is a compile-time constant. */
#ifndef OVK_CORE_BASE_REALS_H
#define OVK_CORE_BASE_REALS_H

#include "core/base/cpu_dispatch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

OVK_ALWAYS_INLINE size_t ovk__real_size(bool single)
{
  return single ? sizeof(float) : sizeof(double);
}

OVK_ALWAYS_INLINE double ovk__real_at(const void *array, bool single, int64_t i)
{
  return single ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

OVK_ALWAYS_INLINE void ovk__real_put(void *array, bool single, int64_t i, double value)
{
  if (single) {
    ((float *)array)[i] = (float)value;
  } else {
    ((double *)array)[i] = value;
  }
}

#endif
