/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligned arrays. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

/* Has the huge pages inside of a large array take the place of small ones, where the system leaves
 * that to programs: the first touch of small pages takes as long as the work on them. */
static void array_advise(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  if (!array || bytes < LARGE) return;
  const uintptr_t first = ((uintptr_t)array + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE,
                  end = ((uintptr_t)array + bytes) / HUGE_PAGE * HUGE_PAGE;
  (void)madvise((void *)first, end - first, MADV_HUGEPAGE); /* advice: failures do no harm */
#else
  (void)array;
  (void)bytes;
#endif
}

void *ovk__array(size_t n, size_t size)
{
  if (size && n > (SIZE_MAX - CACHE_LINE) / size) return NULL;
  const size_t lines = (n * size + CACHE_LINE - 1) / CACHE_LINE;
  const size_t bytes = (lines ? lines : 1) * CACHE_LINE;
  void *array = aligned_alloc(CACHE_LINE, bytes);
  array_advise(array, bytes);
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
