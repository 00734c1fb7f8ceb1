/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels in several versions, from which the loader selects the best for the machine: with wide
 * vectors where available, else plain C. All give the same bits: no version contracts or reorders
 * operations. */
#ifndef OVK_CORE_BASE_CPU_DISPATCH_H
#define OVK_CORE_BASE_CPU_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* To be placed before a function that is not inlined. OVK_CLONES is defined if compiler and loader
 * support it. OVK_FOR_NARROW_CPUS: before one that is not called where ovk__has_wide_vectors(). */
#ifdef OVK_CLONES
#define OVK_FOR_EACH_CPU                                                                           \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define OVK_FOR_NARROW_CPUS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define OVK_FOR_EACH_CPU
#define OVK_FOR_NARROW_CPUS
#endif

/* OVK_ALWAYS_INLINE: for parts of kernels, to be compiled for the processor of each kernel, and
 * separately for each value of constant arguments. Without optimization once is enough: sanitizers
 * and debuggers see the same code, and compilers took half a minute for all the copies of a file.
 *
 * OVK_PREFETCH: prefetches a cache line; the address need not be valid. Functions that do nothing
 * else must be OVK_ALWAYS_INLINE: gcc drops calls of others, which have no effect for it. */
#ifdef __OPTIMIZE__
#define OVK_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define OVK_ALWAYS_INLINE static inline
#endif
#define OVK_PREFETCH(address) __builtin_prefetch(address)

/* Whether the processor has registers for eight doubles, and kernels have versions for them. */
static inline bool ovk__has_wide_vectors(void)
{
#ifdef OVK_CLONES
  return __builtin_cpu_supports("x86-64-v4");
#else
  return false;
#endif
}

/* OVK_WIDE is to be placed before a function for these. OVK_WIDE_OR_NARROW() calls the one of two
 * functions that is for this processor. */
#ifdef OVK_CLONES
#define OVK_WIDE __attribute__((target("arch=x86-64-v4")))
#define OVK_WIDE_OR_NARROW(wide, narrow, ...)                                                      \
  (ovk__has_wide_vectors() ? wide(__VA_ARGS__) : narrow(__VA_ARGS__))
#else
#define OVK_WIDE_OR_NARROW(wide, narrow, ...) narrow(__VA_ARGS__)
#endif

/* How many matrix entries ahead of their use kernels prefetch: the hardware prefetcher stops at
 * page boundaries, and the faster the memory the farther ahead it must be asked. */
enum { OVK__PREFETCH_DISTANCE = 1024 };

/* How many rows ahead they prefetch x where it is read first, by the last diagonal, and y: the
 * hardware prefetcher does not single out the one stream of many that comes from memory. */
enum { OVK__PREFETCH_ROWS = 256 };

/* Prefetches the n elements of `size` bytes that start `ahead` elements after `next`. */
OVK_ALWAYS_INLINE void ovk__prefetch(const void *next, int64_t ahead, size_t size, int64_t n)
{
  const int64_t from = ahead * (int64_t)size, until = from + n * (int64_t)size;
  for (int64_t k = from; k < until; k += 64) OVK_PREFETCH((const char *)next + k);
}

OVK_ALWAYS_INLINE void ovk__prefetch_entries(const void *next, size_t size, int64_t n)
{
  ovk__prefetch(next, OVK__PREFETCH_DISTANCE, size, n);
}

OVK_ALWAYS_INLINE void ovk__prefetch_rows(const double *next, int64_t n)
{
  ovk__prefetch(next, OVK__PREFETCH_ROWS, sizeof *next, n);
}

#endif
