/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects in use. A call such as a solve runs functions of the user's: monitors, preconditioners,
 * operators. They may make any call with the objects that it works with: one that would change an
 * object is OVK_ERR_STATE, one that gives it up takes effect when the last call in progress has
 * returned. */
#ifndef OVK_CORE_IN_USE_H
#define OVK_CORE_IN_USE_H

#include "core/context/handle.h"

/* The head of a handle. */
typedef struct ovk__object {
  ovk_ctx *ctx, *held;         /* `held` as of ovk__ctx_hold() */
  void (*destroy)(void *self); /* frees it, except for the context */
  int references;              /* by the user's handle, by objects made from it, by calls */
  int calls;                   /* in progress that work with it; the same on all ranks */
} ovk__object;

/* The first member of a handle. */
#define OVK_OBJECT                                                                                 \
  union {                                                                                          \
    ovk_ctx *ctx;                                                                                  \
    ovk__object object;                                                                            \
  }

/* A new object, with the reference of the user's handle. It holds its context. */
ovk__object ovk__object_new(ovk_ctx *ctx, void (*destroy)(void *self));

/* Adds a reference, also to a handle that is otherwise constant, and returns the handle. */
void *ovk__hold(const void *handle);

/* Releases a reference; the last one frees the object. NULL is allowed. */
void ovk__release(void *handle);

/* The body of a function that destroys a handle: *handle <- NULL, and its reference is released.
 * NULL is allowed. */
#define OVK_GIVE_UP(handle)                                                                        \
  do {                                                                                             \
    void *given_up_ = (handle) ? *(handle) : NULL;                                                 \
    if (handle) *(handle) = NULL;                                                                  \
    ovk__release(given_up_);                                                                       \
  } while (0)

/* The objects that a call works with. */
typedef struct ovk__used {
  const void *objects[6]; /* NULL: none */
} ovk__used;

/* const ovk__used used = OVK_USE(S, S->A, b, x); ...; ovk__end_use(&used);
 * After that nothing of them, nor of their context, may be touched. */
#define OVK_USE(...) ovk__begin_use((ovk__used){{__VA_ARGS__}})
ovk__used ovk__begin_use(ovk__used used);
void ovk__end_use(const ovk__used *used);

/* Returns OVK_ERR_STATE from the caller, which is to change the object, while a call works with it.
 */
#define OVK_CHECK_UNUSED(handle, name)                                                             \
  OVK_CHECK((handle)->object.calls == 0, (handle)->ctx, OVK_ERR_STATE,                             \
            "%s is in use: a solve or another call that works with it has not returned", (name))

#endif
