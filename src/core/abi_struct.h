/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs that begin with their size, see ovkrylov/base.h: a struct of a program, which may have
 * been compiled with fewer or more members, becomes one of the library. */
#ifndef OVK_CORE_ABI_STRUCT_H
#define OVK_CORE_ABI_STRUCT_H

#include "core/context/check.h"

#include <stddef.h>

/* *own, of `size` bytes, gets the members of *given, which has given->size bytes, or `least`
 * if that is 0: those of the first version. Members that *given lacks are 0.
 * `what` names the type in messages. OVK_ERR_ARG for less than `least`. */
ovk_err ovk__take_sized(ovk_ctx *ctx, const char *what, const void *given, size_t least, void *own,
                        size_t size);

/* The same for a `type` whose first version ended with the member `last`. */
#define OVK_TAKE_SIZED(ctx, type, last, given, own)                                                \
  ovk__take_sized((ctx), #type, (given), offsetof(type, last) + sizeof(own)->last, (own),          \
                  sizeof *(own))

/* The reverse, for a struct that the library fills: copies as many of the `size` bytes of *own as
 * *given has room for, at least `least`, and sets given->size to that number. */
void ovk__give_sized(const void *own, size_t size, size_t least, void *given);

/* The same for a `type` whose first version ended with the member `last`. */
#define OVK_GIVE_SIZED(type, last, own, given)                                                     \
  ovk__give_sized((own), sizeof *(own), offsetof(type, last) + sizeof(own)->last, (given))

#endif
