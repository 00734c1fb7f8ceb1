/* SPDX-License-Identifier: BSD-2-Clause */
/* Common to all public headers: symbol visibility, C++ guards and the index types. */
#ifndef OVKRYLOV_BASE_H
#define OVKRYLOV_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define OVK_BEGIN_DECLS extern "C" {
#define OVK_END_DECLS }
#else
#define OVK_BEGIN_DECLS
#define OVK_END_DECLS
#endif

/** Marks a function as part of the public interface; everything else stays hidden. */
#define OVK_API __attribute__((visibility("default")))

/** Lets the compiler check a printf-style format at argument f, its values from argument a on. */
#define OVK_PRINTF(f, a) __attribute__((format(printf, f, a)))

/** The initializer of a struct that begins with its size; the other members are 0. In C++ it is an
 * expression, as C++11 has no initializers that name a member. */
#ifdef __cplusplus
#define OVK_SIZED(type)                                                                            \
  []() -> type {                                                                                   \
    type ovk_value = type();                                                                       \
    ovk_value.size = sizeof(type);                                                                 \
    return ovk_value;                                                                              \
  }()
#else
#define OVK_SIZED(type)                                                                            \
  {                                                                                                \
    .size = sizeof(type)                                                                           \
  }
#endif

/**
 * @page struct_sizes Sizes of structs
 *
 * Options and tables of functions get members in later versions, at their end. Each of these
 * structs therefore begins with `size_t size`, its size where the program was compiled. The
 * initializers (OVK_SOLVER_OPTS, OVK_RESULT, OVK_MODEL) and the functions for defaults set it;
 * authors of tables write `.size = sizeof(ovk_backend_ops)`. The library reads and writes at most
 * `size` bytes, and members beyond count as 0. A size of 0, as with an initializer that does not
 * name it, stands for the members of version 0.1. Less is OVK_ERR_ARG; in results it counts as 0.
 */

/** A global index: a row or column counted from 0 over all ranks. */
typedef int64_t ovk_gidx;

/** A local index: a row or column counted from 0 on one rank. */
typedef int32_t ovk_lidx;

#endif
