/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligned arrays. */
#include "core/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

void *ovk__array(size_t n, size_t size)
{
  if (size && n > (SIZE_MAX - CACHE_LINE) / size) return NULL;
  const size_t lines = (n * size + CACHE_LINE - 1) / CACHE_LINE;
  return aligned_alloc(CACHE_LINE, (lines ? lines : 1) * CACHE_LINE);
}

void *ovk__zeros(size_t n, size_t size)
{
  void *array = ovk__array(n, size);
  if (array) memset(array, 0, n * size);
  return array;
}

char *ovk__copy_text(const char *text)
{
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}
