/* SPDX-License-Identifier: BSD-2-Clause */
/* Allocations that are counted, and that fail on request. */
#include "support/malloc_fail.h"

#include <stddef.h>

/* The linker's --wrap=malloc turns calls of malloc into __wrap_malloc, and __real_malloc into the
 * true one. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);

static long count, fail_at, live;

void malloc_fail_at(long n)
{
  count = 0;
  fail_at = n;
}

bool malloc_failed(void)
{
  return fail_at > 0 && count >= fail_at;
}

long malloc_count(void)
{
  return count;
}

long malloc_live(void)
{
  return live;
}

/* Is it the turn of the allocation that is to fail? */
static bool fails_now(void)
{
  return ++count == fail_at;
}

static void *born(void *block)
{
  live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size)
{
  return fails_now() ? NULL : born(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
  return fails_now() ? NULL : born(__real_calloc(n, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return fails_now() ? NULL : born(__real_aligned_alloc(alignment, size));
}

void *__wrap_realloc(void *block, size_t size)
{
  if (fails_now()) return NULL;
  return block ? __real_realloc(block, size) : born(__real_realloc(NULL, size));
}

void __wrap_free(void *block)
{
  live -= block != NULL;
  __real_free(block);
}
