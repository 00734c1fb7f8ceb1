/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligned arrays. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, PAGE = 4096 };

/* Asks for huge pages where a system gives them on request only: first touching an array, and
 * reading it at random, is then some times faster. A refusal does not matter. */
static void want_huge_pages(void *array, size_t bytes)
{
  enum { LEAST = 1 << 22 };
  if (!array || bytes < LEAST) return;
  const size_t begin = ((uintptr_t)array + PAGE - 1) / PAGE * PAGE - (uintptr_t)array;
  (void)madvise((char *)array + begin, (bytes - begin) / PAGE * PAGE, MADV_HUGEPAGE);
}

void *ovk__array(size_t n, size_t size)
{
  if (size && n > (SIZE_MAX - CACHE_LINE) / size) return NULL;
  const size_t lines = (n * size + CACHE_LINE - 1) / CACHE_LINE;
  void *array = aligned_alloc(CACHE_LINE, (lines ? lines : 1) * CACHE_LINE);
  want_huge_pages(array, n * size);
  return array;
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
