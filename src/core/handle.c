/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles of all types. */
#include "core/handle.h"

ovk_ctx *ovk__any_ctx(const void *const handles[], size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (handles[k]) return ovk__ctx_of(handles[k]);
  }
  return NULL;
}
