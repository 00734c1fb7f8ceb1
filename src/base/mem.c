/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligned arrays. Large ones ask for huge pages: fewer page faults when they are filled, and fewer
 * misses of the TLB. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, HUGE_PAGE = 1 << 21 };

/* Asks for huge pages in that part of an array that consists of whole ones. */
static void advise(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  if (array) (void)madvise(array, bytes - bytes % HUGE_PAGE, MADV_HUGEPAGE);
#else
  (void)array;
  (void)bytes;
#endif
}

void *ovk__array(size_t n, size_t size)
{
  if (size && n > (SIZE_MAX - HUGE_PAGE) / size) return NULL;
  const size_t bytes = n * size, unit = bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE;
  const size_t units = (bytes + unit - 1) / unit;
  void *array = aligned_alloc(unit, (units ? units : 1) * unit);
  if (unit == HUGE_PAGE) advise(array, bytes);
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
