/* SPDX-License-Identifier: BSD-2-Clause */
/* Common to the handles of the public interface: each begins with its context. */
#ifndef OVK_CORE_CONTEXT_HANDLE_H
#define OVK_CORE_CONTEXT_HANDLE_H

#include "core/context/check.h"

#include <stddef.h>

/* Place it after the definition of the struct of a handle. */
#define OVK_IS_HANDLE(type)                                                                        \
  _Static_assert(offsetof(struct type, ctx) == 0, "a handle begins with its context")

/* The context of a handle; NULL for NULL. */
static inline ovk_ctx *ovk__ctx_of(const void *handle)
{
  return handle ? *(ovk_ctx *const *)handle : NULL;
}

static inline ovk_ctx *ovk__any_ctx(const void *const handles[], size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (handles[k]) return ovk__ctx_of(handles[k]);
  }
  return NULL;
}

/* The context of the first handle that is not NULL; NULL if all are. It allows a rank to take part
 * in an agreement although the relevant handle is NULL there. */
#define OVK_ANY_CTX(...)                                                                           \
  ovk__any_ctx((const void *const[]){__VA_ARGS__},                                                 \
               sizeof((const void *const[]){__VA_ARGS__}) / sizeof(const void *))

/* Returns an error from the caller unless the handle is not NULL and belongs to ctx. */
#define OVK_CHECK_HANDLE(ctx, handle)                                                              \
  do {                                                                                             \
    OVK_CHECK(handle, ctx, OVK_ERR_ARG, #handle " is NULL");                                       \
    OVK_CHECK(ovk__ctx_of(handle) == (ctx), ctx, OVK_ERR_ARG,                                      \
              #handle " belongs to another context");                                              \
  } while (0)

#endif
