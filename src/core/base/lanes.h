/* SPDX-License-Identifier: BSD-2-Clause */
/* Consecutive rows that are worked on at the same time, one in each lane of a vector. Compilers
 * that have vectors do not always find them in loops over arrays.
 *
 * The lanes are two vectors, as most processors have registers for four doubles: gcc keeps vectors
 * in memory that are wider than registers, and such that are copied together. A file for processors
 * with registers for eight defines OVK__WIDE_LANES and has one vector, and the first operations
 * below. */
#ifndef OVK_CORE_BASE_LANES_H
#define OVK_CORE_BASE_LANES_H

#include "core/base/cpu_dispatch.h"

#include <ovkrylov/base.h>
#include <stdbool.h>
#include <string.h>

enum { OVK__LANES = 8, OVK__HALF = OVK__LANES / 2 };

/* To be placed before a loop over the numbers that are left after whole lanes. It runs once, and
 * gcc would unroll it in each version of each kernel, which took most of the time to compile them.
 */
#define OVK_REST _Pragma("GCC unroll 1")

typedef double ovk__half __attribute__((vector_size(OVK__HALF * sizeof(double))));
typedef int64_t ovk__integer_half __attribute__((vector_size(OVK__HALF * sizeof(int64_t))));

/* Four doubles in an array. gcc moves them at once; by memcpy() it moves halves of them where the
 * vector is in memory, and a load of the whole then waits until both are in the cache. */
typedef double ovk__half_at
    __attribute__((vector_size(OVK__HALF * sizeof(double)), aligned(sizeof(double)), may_alias));

OVK_ALWAYS_INLINE void ovk__half_of_doubles(ovk__half *out, const double *from)
{
  *out = *(const ovk__half_at *)from;
}

OVK_ALWAYS_INLINE void ovk__half_to_doubles(double *to, const ovk__half *from)
{
  *(ovk__half_at *)to = *from;
}

/* One instruction; __builtin_convertvector() is five with gcc 12. */
OVK_ALWAYS_INLINE void ovk__half_of_floats(ovk__half *out, const float *from)
{
  *out = (ovk__half){from[0], from[1], from[2], from[3]};
}

/* a <- a b */
OVK_ALWAYS_INLINE void ovk__half_scale(ovk__half *a, const ovk__half *b)
{
  *a *= *b;
}

/* a <- a + b c */
OVK_ALWAYS_INLINE void ovk__half_add(ovk__half *a, const ovk__half *b, const ovk__half *c)
{
  *a += *b * *c;
}

/* a <- a - b c */
OVK_ALWAYS_INLINE void ovk__half_subtract(ovk__half *a, const ovk__half *b, const ovk__half *c)
{
  *a -= *b * *c;
}

/* a <- a + b x */
OVK_ALWAYS_INLINE void ovk__half_add_multiple(ovk__half *a, double b, const double *x)
{
  *a += b * *(const ovk__half_at *)x;
}

/* a <- a + b, or a + 0 in lanes whose bit is not set */
OVK_ALWAYS_INLINE void ovk__half_add_where(unsigned bits, ovk__half *a, const ovk__half *b)
{
  const ovk__integer_half bit = {1, 2, 4, 8}, all = (ovk__integer_half){0} + (int64_t)bits;
  *a += (ovk__half)((ovk__integer_half)*b & ((all & bit) != 0));
}

#ifdef OVK__WIDE_LANES
typedef double ovk__lanes __attribute__((vector_size(OVK__LANES * sizeof(double))));

OVK_ALWAYS_INLINE void ovk__lanes_of_doubles(ovk__lanes *out, const double *from)
{
  memcpy(out, from, sizeof *out);
}

OVK_ALWAYS_INLINE void ovk__lanes_to_doubles(double *to, const ovk__lanes *from)
{
  memcpy(to, from, sizeof *from);
}

/* a <- a b */
OVK_ALWAYS_INLINE void ovk__lanes_scale(ovk__lanes *a, const ovk__lanes *b)
{
  *a *= *b;
}

/* a <- a + b c */
OVK_ALWAYS_INLINE void ovk__lanes_add(ovk__lanes *a, const ovk__lanes *b, const ovk__lanes *c)
{
  *a += *b * *c;
}

/* a <- a - b c */
OVK_ALWAYS_INLINE void ovk__lanes_subtract(ovk__lanes *a, const ovk__lanes *b, const ovk__lanes *c)
{
  *a -= *b * *c;
}

#else
typedef struct ovk__lanes {
  ovk__half low, high;
} ovk__lanes;

OVK_ALWAYS_INLINE void ovk__lanes_of_doubles(ovk__lanes *out, const double *from)
{
  ovk__half_of_doubles(&out->low, from);
  ovk__half_of_doubles(&out->high, from + OVK__HALF);
}

OVK_ALWAYS_INLINE void ovk__lanes_to_doubles(double *to, const ovk__lanes *from)
{
  ovk__half_to_doubles(to, &from->low);
  ovk__half_to_doubles(to + OVK__HALF, &from->high);
}

/* a <- a b */
OVK_ALWAYS_INLINE void ovk__lanes_scale(ovk__lanes *a, const ovk__lanes *b)
{
  ovk__half_scale(&a->low, &b->low);
  ovk__half_scale(&a->high, &b->high);
}

/* a <- a + b c */
OVK_ALWAYS_INLINE void ovk__lanes_add(ovk__lanes *a, const ovk__lanes *b, const ovk__lanes *c)
{
  ovk__half_add(&a->low, &b->low, &c->low);
  ovk__half_add(&a->high, &b->high, &c->high);
}

/* a <- a - b c */
OVK_ALWAYS_INLINE void ovk__lanes_subtract(ovk__lanes *a, const ovk__lanes *b, const ovk__lanes *c)
{
  ovk__half_subtract(&a->low, &b->low, &c->low);
  ovk__half_subtract(&a->high, &b->high, &c->high);
}

/* Loads the elements from `at` on of floats or doubles. */
OVK_ALWAYS_INLINE void ovk__lanes_of(ovk__lanes *out, const void *array, bool single, int64_t at)
{
  if (single) {
    const float *from = (const float *)array + at;
    ovk__half_of_floats(&out->low, from);
    ovk__half_of_floats(&out->high, from + OVK__HALF);
  } else {
    ovk__lanes_of_doubles(out, (const double *)array + at);
  }
}

/* a <- a + b x */
OVK_ALWAYS_INLINE void ovk__lanes_add_multiple(ovk__lanes *a, double b, const double *x)
{
  ovk__half_add_multiple(&a->low, b, x);
  ovk__half_add_multiple(&a->high, b, x + OVK__HALF);
}

/* a <- a + b, or a + 0 in lanes whose bit is not set */
OVK_ALWAYS_INLINE void ovk__lanes_add_where(unsigned bits, ovk__lanes *a, const ovk__lanes *b)
{
  ovk__half_add_where(bits, &a->low, &b->low);
  ovk__half_add_where(bits >> OVK__HALF, &a->high, &b->high);
}
#endif

/* Inner products are summed in OVK__LANES interleaved partial sums: faster than one chain of
 * additions, more accurate, and in a fixed order, so that results do not depend on the compiler.
 *
 * lane[k % OVK__LANES] <- lane[k % OVK__LANES] + x[k] y[k] for k < n */
OVK_ALWAYS_INLINE void ovk__lanes_dot(ovk_lidx n, const double *x, const double *y,
                                      double lane[OVK__LANES])
{
  ovk__lanes sum, a, b;
  ovk_lidx i = 0;
  ovk__lanes_of_doubles(&sum, lane);
  for (; i <= n - OVK__LANES; i += OVK__LANES) {
    ovk__lanes_of_doubles(&a, x + i);
    ovk__lanes_of_doubles(&b, y + i);
    ovk__lanes_add(&sum, &a, &b);
  }
  ovk__lanes_to_doubles(lane, &sum);
  OVK_REST
  for (int l = 0; i < n; i++, l++) lane[l] += x[i] * y[i];
}

/* Sums the lanes of an inner product pairwise. */
OVK_ALWAYS_INLINE double ovk__lanes_total(const double lane[OVK__LANES])
{
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* The same of `count` inner products. */
OVK_ALWAYS_INLINE void ovk__lanes_totals(int count, double lanes[][OVK__LANES], double *sums)
{
  for (int k = 0; k < count; k++) sums[k] = ovk__lanes_total(lanes[k]);
}

#endif
