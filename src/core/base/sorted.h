/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorting of numbers, and bisection of sorted arrays. */
#ifndef OVK_CORE_BASE_SORTED_H
#define OVK_CORE_BASE_SORTED_H

#include <ovkrylov/base.h>
#include <stdlib.h>

/* Declares `k`, the first index between `from` and `end` - 1 at which `is_before` is false, or else
 * `end`. `is_before` is a condition on the index `middle`, true before k and false from k on:
 * OVK_BISECT(int, k, 0, n, x[middle] < value). */
#define OVK_BISECT(type, k, from, end, is_before)                                                  \
  type k = (from);                                                                                 \
  for (type k##_end = (end); k < k##_end;) {                                                       \
    const type middle = k + (k##_end - k) / 2;                                                     \
    if (is_before) {                                                                               \
      k = middle + 1;                                                                              \
    } else {                                                                                       \
      k##_end = middle;                                                                            \
    }                                                                                              \
  }

/* For qsort() and bsearch(), in increasing order. */
static inline int ovk__compare_lidx(const void *a, const void *b)
{
  const ovk_lidx x = *(const ovk_lidx *)a, y = *(const ovk_lidx *)b;
  return (x > y) - (x < y);
}

static inline int ovk__compare_gidx(const void *a, const void *b)
{
  const ovk_gidx x = *(const ovk_gidx *)a, y = *(const ovk_gidx *)b;
  return (x > y) - (x < y);
}

/* Sorts n numbers. */
static inline void ovk__sort_lidx(ovk_lidx *numbers, size_t n)
{
  if (n) qsort(numbers, n, sizeof *numbers, ovk__compare_lidx);
}

static inline void ovk__sort_gidx(ovk_gidx *numbers, size_t n)
{
  if (n) qsort(numbers, n, sizeof *numbers, ovk__compare_gidx);
}

#endif
