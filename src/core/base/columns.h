/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of a block of columns: `w` numbers, on which the same is done, one column in each lane. `w`
 * is 2, 4 or 8, a compile-time constant in kernels. Columns do not mix. As lanes.h says, gcc wants
 * vectors that are no wider than registers. So a row of 8 has two vectors, and one in a file that
 * defines OVK__WIDE_LANES. */
#ifndef OVK_CORE_BASE_COLUMNS_H
#define OVK_CORE_BASE_COLUMNS_H

#include "core/base/lanes.h"

#include <ovkrylov/base.h>
#include <stddef.h>
#include <string.h>

typedef double ovk__two __attribute__((vector_size(2 * sizeof(double))));
#ifdef OVK__WIDE_LANES
typedef ovk__lanes ovk__part;
#else
typedef ovk__half ovk__part;
#endif
enum { OVK__PART = sizeof(ovk__part) / sizeof(double) };

/* Only the members of the width are used. */
typedef struct ovk__columns {
  ovk__part low, high; /* columns from 0 on, and from OVK__PART on */
  ovk__two two;        /* both, if w is 2 */
} ovk__columns;

OVK_ALWAYS_INLINE void ovk__columns_load(int w, ovk__columns *a, const double *x)
{
  if (w == 2) memcpy(&a->two, x, sizeof a->two);
  if (w >= OVK__PART) memcpy(&a->low, x, sizeof a->low);
  if (w > OVK__PART) memcpy(&a->high, x + OVK__PART, sizeof a->high);
}

OVK_ALWAYS_INLINE void ovk__columns_store(int w, double *x, const ovk__columns *a)
{
  if (w == 2) memcpy(x, &a->two, sizeof a->two);
  if (w >= OVK__PART) memcpy(x, &a->low, sizeof a->low);
  if (w > OVK__PART) memcpy(x + OVK__PART, &a->high, sizeof a->high);
}

OVK_ALWAYS_INLINE void ovk__columns_zero(int w, ovk__columns *a)
{
  if (w == 2) a->two = (ovk__two){0};
  if (w >= OVK__PART) a->low = (ovk__part){0};
  if (w > OVK__PART) a->high = (ovk__part){0};
}

/* a <- a + b */
OVK_ALWAYS_INLINE void ovk__columns_add(int w, ovk__columns *a, const ovk__columns *b)
{
  if (w == 2) a->two += b->two;
  if (w >= OVK__PART) a->low += b->low;
  if (w > OVK__PART) a->high += b->high;
}

/* a <- a + b c */
OVK_ALWAYS_INLINE void ovk__columns_add_product(int w, ovk__columns *a, const ovk__columns *b,
                                                const ovk__columns *c)
{
  if (w == 2) a->two += b->two * c->two;
  if (w >= OVK__PART) a->low += b->low * c->low;
  if (w > OVK__PART) a->high += b->high * c->high;
}

/* a <- a + b c for a number b */
OVK_ALWAYS_INLINE void ovk__columns_add_scaled(int w, ovk__columns *a, double b,
                                               const ovk__columns *c)
{
  if (w == 2) a->two += b * c->two;
  if (w >= OVK__PART) a->low += b * c->low;
  if (w > OVK__PART) a->high += b * c->high;
}

/* a <- a - b */
OVK_ALWAYS_INLINE void ovk__columns_subtract(int w, ovk__columns *a, const ovk__columns *b)
{
  if (w == 2) a->two -= b->two;
  if (w >= OVK__PART) a->low -= b->low;
  if (w > OVK__PART) a->high -= b->high;
}

/* a <- b a for a number b */
OVK_ALWAYS_INLINE void ovk__columns_scale(int w, ovk__columns *a, double b)
{
  if (w == 2) a->two *= b;
  if (w >= OVK__PART) a->low *= b;
  if (w > OVK__PART) a->high *= b;
}

/* a <- b c for a number b */
OVK_ALWAYS_INLINE void ovk__columns_set_scaled(int w, ovk__columns *a, double b,
                                               const ovk__columns *c)
{
  if (w == 2) a->two = b * c->two;
  if (w >= OVK__PART) a->low = b * c->low;
  if (w > OVK__PART) a->high = b * c->high;
}

/* a <- a - b c for a number b */
OVK_ALWAYS_INLINE void ovk__columns_subtract_scaled(int w, ovk__columns *a, double b,
                                                    const ovk__columns *c)
{
  if (w == 2) a->two -= b * c->two;
  if (w >= OVK__PART) a->low -= b * c->low;
  if (w > OVK__PART) a->high -= b * c->high;
}

/* a <- a + b x for a number b */
OVK_ALWAYS_INLINE void ovk__columns_add_multiple(int w, ovk__columns *a, double b, const double *x)
{
  ovk__columns v;
  ovk__columns_load(w, &v, x);
  ovk__columns_add_scaled(w, a, b, &v);
}

/* a <- b x for a number b */
OVK_ALWAYS_INLINE void ovk__columns_set_multiple(int w, ovk__columns *a, double b, const double *x)
{
  ovk__columns v;
  ovk__columns_load(w, &v, x);
  ovk__columns_set_scaled(w, a, b, &v);
}

/* The inner products of columns are summed as those of single vectors, in `lanes` interleaved
 * partial sums each, so that they have the same bits: see ovk__lanes_dot(). Row i is added to row
 * i % lanes of sum. A call has n rows, from a multiple of `lanes` on. These two are also for w = 1
 * and for a w that is no constant. */
enum { OVK__COLUMN_SUMS = 8 * OVK__LANES };

OVK_ALWAYS_INLINE void ovk__columns_dot(int w, int lanes, int64_t n, const double *x,
                                        const double *y, double *sum)
{
  const int64_t values = n * w, all = (int64_t)lanes * w;
  for (int64_t k = 0, from = 0; k < values; from = 0) {
    for (; from < all && k <= values - OVK__LANES; from += OVK__LANES, k += OVK__LANES) {
      ovk__lanes s, a, b;
      ovk__lanes_of_doubles(&s, sum + from);
      ovk__lanes_of_doubles(&a, x + k);
      ovk__lanes_of_doubles(&b, y + k);
      ovk__lanes_add(&s, &a, &b);
      ovk__lanes_to_doubles(sum + from, &s);
    }
    const int64_t rest = all - from < values - k ? all - from : values - k;
    OVK_REST
    for (int64_t l = 0; l < rest; l++) sum[from + l] += x[k + l] * y[k + l];
    k += rest;
  }
}

/* dots[c] <- the total of column c, pairwise as ovk__lanes_total() */
OVK_ALWAYS_INLINE void ovk__columns_totals(int w, int lanes, double *sum, double *dots)
{
  for (int half = lanes / 2 * w; half >= w; half /= 2) {
    for (int l = 0; l < half; l++) sum[l] += sum[l + half];
  }
  for (int c = 0; c < w; c++) dots[c] = sum[c];
}

/* Calls wide(...) for a block of 8 columns where the processor has vectors of eight, else
 * narrow(width, ...). Both give the same bits. */
#ifdef OVK_CLONES
#define OVK__NARROW_OR_WIDE(width, narrow, wide, ...)                                              \
  do {                                                                                             \
    if ((width) == 8 && ovk__has_wide_vectors()) {                                                 \
      wide(__VA_ARGS__);                                                                           \
    } else {                                                                                       \
      narrow(width, __VA_ARGS__);                                                                  \
    }                                                                                              \
  } while (0)
#else
#define OVK__NARROW_OR_WIDE(width, narrow, wide, ...) narrow(width, __VA_ARGS__)
#endif

/* Calls kernel(w, ...), always inlined, with the width as a constant w. */
#define OVK__FOR_WIDTH(width, kernel, ...)                                                         \
  do {                                                                                             \
    if ((width) == 8) {                                                                            \
      kernel(8, __VA_ARGS__);                                                                      \
    } else if ((width) == 4) {                                                                     \
      kernel(4, __VA_ARGS__);                                                                      \
    } else {                                                                                       \
      kernel(2, __VA_ARGS__);                                                                      \
    }                                                                                              \
  } while (0)

#endif
