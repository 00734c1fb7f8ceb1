/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts allocations, and makes one fail on request. */
#include "support/malloc_fail.h"

#include <errno.h>
#include <stddef.h>

/* The linker's --wrap=malloc redirects calls of malloc to __wrap_malloc, and of __real_malloc to
 * malloc. */
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
static bool paused;

void malloc_fail_at(long n)
{
  count = 0;
  fail_at = n;
}

void malloc_pause(void)
{
  paused = true;
}

void malloc_resume(void)
{
  paused = false;
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

/* Whether the current allocation is the one that is to fail; if so, with malloc's errno. */
static bool fails_now(void)
{
  if (paused || ++count != fail_at) return false;
  errno = ENOMEM;
  return true;
}

static void *count_block(void *block)
{
  live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size)
{
  return fails_now() ? NULL : count_block(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
  return fails_now() ? NULL : count_block(__real_calloc(n, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return fails_now() ? NULL : count_block(__real_aligned_alloc(alignment, size));
}

void *__wrap_realloc(void *block, size_t size)
{
  if (fails_now()) return NULL;
  return block ? __real_realloc(block, size) : count_block(__real_realloc(NULL, size));
}

void __wrap_free(void *block)
{
  live -= block != NULL;
  __real_free(block);
}
