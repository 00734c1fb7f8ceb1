/* SPDX-License-Identifier: BSD-2-Clause */
/* What every public header needs: symbol visibility, C++ guards and the index types. */
#ifndef OVKRYLOV_BASE_H
#define OVKRYLOV_BASE_H

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

/** A row or column of the whole problem, counted from 0 over all ranks. */
typedef int64_t ovk_gidx;

/** A row or column on one rank, counted from 0 on that rank. */
typedef int32_t ovk_lidx;

#endif
