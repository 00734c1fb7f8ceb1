/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects and arrays for functions that return an error. Both are freed with free(). */
#ifndef OVK_CORE_CONTEXT_MEM_H
#define OVK_CORE_CONTEXT_MEM_H

#include "core/base/array.h"
#include "core/context/check.h"

#include <stdlib.h>

/* pointer = one object of its type, all bytes 0; returns OVK_ERR_MEMORY from the caller on failure.
 * The message names the object as the caller does. */
#define OVK_NEW(ctx, pointer)                                                                      \
  do {                                                                                             \
    (pointer) = calloc(1, sizeof *(pointer));                                                      \
    OVK_CHECK((pointer) != NULL, ctx, OVK_ERR_MEMORY, "no memory for %s: %zu bytes", #pointer,     \
              sizeof *(pointer));                                                                  \
  } while (0)

/* type *pointer = place = one object, all bytes 0; as OVK_NEW(), with place = NULL on failure. */
#define OVK_NEW_AT(ctx, place, type, pointer)                                                      \
  type *const pointer = (place) = calloc(1, sizeof *pointer);                                      \
  OVK_CHECK(pointer != NULL, ctx, OVK_ERR_MEMORY, "no memory for %s: %zu bytes", #pointer,         \
            sizeof *pointer)

/* pointer = an array of n elements of its type; returns OVK_ERR_MEMORY from the caller on failure.
 */
#define OVK_NEW_ARRAY(ctx, pointer, n) OVK_NEW_OF(ovk__array, ctx, pointer, n)

/* The same, all bytes 0. */
#define OVK_NEW_ZEROS(ctx, pointer, n) OVK_NEW_OF(ovk__zeros, ctx, pointer, n)

/* Moves an array to room for n elements, n > 0, and keeps its elements, up to n; on failure, which
 * returns OVK_ERR_MEMORY from the caller, it is unchanged. Not aligned as a new array is. */
#define OVK_RESIZE(ctx, pointer, n)                                                                \
  do {                                                                                             \
    const size_t resize_n_ = (size_t)(n), resize_size_ = sizeof *(pointer);                        \
    void *resized_ = resize_n_ <= SIZE_MAX / resize_size_                                          \
                         ? realloc((pointer), resize_n_ * resize_size_)                            \
                         : NULL;                                                                   \
    OVK_CHECK(resized_ != NULL, ctx, OVK_ERR_MEMORY, "no memory for %s: %zu of %zu bytes",         \
              #pointer, resize_n_, resize_size_);                                                  \
    (pointer) = resized_;                                                                          \
  } while (0)

#define OVK_NEW_OF(allocate, ctx, pointer, n)                                                      \
  do {                                                                                             \
    (pointer) = allocate((size_t)(n), sizeof *(pointer));                                          \
    OVK_CHECK((pointer) != NULL, ctx, OVK_ERR_MEMORY, "no memory for %s: %zu of %zu bytes",        \
              #pointer, (size_t)(n), sizeof *(pointer));                                           \
  } while (0)

#endif
