/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of arbitrary sizes: overflow-checked, aligned to cache lines, freed with free(). */
#ifndef OVK_CORE_CONTEXT_MEM_H
#define OVK_CORE_CONTEXT_MEM_H

#include "core/context/check.h"

#include <stddef.h>

/* n elements of `size` bytes, aligned to 64 bytes, not initialised. For n = 0 not NULL; NULL if the
 * memory is not available. */
void *ovk__array(size_t n, size_t size);

/* The same, all bytes 0. */
void *ovk__zeros(size_t n, size_t size);

/* A copy of text, or NULL. */
char *ovk__copy_text(const char *text);

/* pointer = an array of n elements of its type; returns OVK_ERR_MEMORY from the caller on failure.
 */
#define OVK_NEW_ARRAY(ctx, pointer, n) OVK_NEW_OF(ovk__array, ctx, pointer, n)

/* The same, all bytes 0. */
#define OVK_NEW_ZEROS(ctx, pointer, n) OVK_NEW_OF(ovk__zeros, ctx, pointer, n)

#define OVK_NEW_OF(allocate, ctx, pointer, n)                                                      \
  do {                                                                                             \
    (pointer) = allocate((size_t)(n), sizeof *(pointer));                                          \
    OVK_CHECK((pointer) != NULL, ctx, OVK_ERR_MEMORY, "no memory for %s: %zu of %zu bytes",        \
              #pointer, (size_t)(n), sizeof *(pointer));                                           \
  } while (0)

#endif
