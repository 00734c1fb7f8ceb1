/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels in several versions, of which the loader takes the best for the machine: with wide
 * vectors where there are some, in plain C elsewhere. All give the same bits: none contracts or
 * reorders. */
#ifndef OVK_CORE_CLONES_H
#define OVK_CORE_CLONES_H

#include <stddef.h>
#include <stdint.h>

/* In front of a function that is not inlined. OVK_CLONES says that compiler and loader can do it.
 */
#ifdef OVK_CLONES
#define OVK_FOR_EACH_CPU                                                                           \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define OVK_FOR_EACH_CPU
#endif

/* OVK_KERNEL_PART: what kernels are made of, inlined, so that it is compiled for the kernel's
 * processor, and once for each value of arguments that are constants.
 * OVK_PREFETCH: asks for a cache line that is used later; the address need not exist. */
#ifdef __GNUC__
#define OVK_KERNEL_PART static inline __attribute__((always_inline))
#define OVK_PREFETCH(address) __builtin_prefetch(address)
#else
#define OVK_KERNEL_PART static inline
#define OVK_PREFETCH(address) (void)(address)
#endif

/* How many entries of a matrix ahead of their use kernels ask for them: by itself the processor
 * does not look across the end of a page. */
enum { OVK__AHEAD = 256 };

/* Asks for the n elements that come OVK__AHEAD elements of `size` bytes behind `next`. */
OVK_KERNEL_PART void ovk__ask_ahead(const void *next, size_t size, int64_t n)
{
  const int64_t from = OVK__AHEAD * (int64_t)size, until = from + n * (int64_t)size;
  for (int64_t k = from; k < until; k += 64) OVK_PREFETCH((const char *)next + k);
}

#endif
