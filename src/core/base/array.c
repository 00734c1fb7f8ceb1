/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligned arrays. Sweeps over long ones wait for the translation of addresses if pages are small:
 * 8 columns of 10^6 rows take 64 MB a block. So the kernel is asked for huge pages. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64, LONG = 1 << 22 /* bytes */ };

/* For the whole pages of an array, which keeps its place: arrays that begin at multiples of a large
 * power of 2 compete for the same lines of a cache. It is advice: errors do not matter. */
static void array_ask_for_huge_pages(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  const long page = sysconf(_SC_PAGESIZE);
  if (bytes < LONG || page <= 0) return;
  const size_t size = (size_t)page, before = (size - (uintptr_t)array % size) % size;
  (void)madvise((char *)array + before, (bytes - before) / size * size, MADV_HUGEPAGE);
#else
  (void)array, (void)bytes;
#endif
}

void *ovk__array(size_t n, size_t size)
{
  if (size && n > (SIZE_MAX - CACHE_LINE) / size) return NULL;
  const size_t lines = (n * size + CACHE_LINE - 1) / CACHE_LINE;
  void *array = aligned_alloc(CACHE_LINE, (lines ? lines : 1) * CACHE_LINE);
  if (array) array_ask_for_huge_pages(array, n * size);
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
