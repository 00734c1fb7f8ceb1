/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of arbitrary sizes: overflow-checked, aligned to cache lines, freed with free(). */
#ifndef OVK_CORE_BASE_ARRAY_H
#define OVK_CORE_BASE_ARRAY_H

#include <stddef.h>

/* n elements of `size` bytes, aligned to 64 bytes, not initialized. For n = 0 not NULL; NULL if the
 * memory is not available. */
void *ovk__array(size_t n, size_t size);

/* The same, all bytes 0. */
void *ovk__zeros(size_t n, size_t size);

/* A copy of text, or NULL. */
char *ovk__copy_text(const char *text);

#endif
