/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums, maxima and minima. Of equal numbers (0 and -0) `to` stays; of two NaNs `from` is taken: the
 * same bits need the same order. */
#include "engine/combine.h"

#include <math.h>

void ovk__combine_sum_double(void *to, const void *from, size_t n)
{
  double *restrict a = to;
  const double *restrict b = from;
  for (size_t i = 0; i < n; i++) a[i] += b[i];
}

/* A NaN in `a` stays, unless there is one in `b`: it compares false. */
static void max_double(void *to, const void *from, size_t n)
{
  double *restrict a = to;
  const double *restrict b = from;
  for (size_t i = 0; i < n; i++) {
    if (b[i] > a[i] || isnan(b[i])) a[i] = b[i];
  }
}

static void min_double(void *to, const void *from, size_t n)
{
  double *restrict a = to;
  const double *restrict b = from;
  for (size_t i = 0; i < n; i++) {
    if (b[i] < a[i] || isnan(b[i])) a[i] = b[i];
  }
}

/* Unsigned, as that wraps around where signed numbers must not. */
static void sum_int64(void *to, const void *from, size_t n)
{
  uint64_t *restrict a = to;
  const uint64_t *restrict b = from;
  for (size_t i = 0; i < n; i++) a[i] += b[i];
}

static void max_int64(void *to, const void *from, size_t n)
{
  int64_t *restrict a = to;
  const int64_t *restrict b = from;
  for (size_t i = 0; i < n; i++) {
    if (b[i] > a[i]) a[i] = b[i];
  }
}

static void min_int64(void *to, const void *from, size_t n)
{
  int64_t *restrict a = to;
  const int64_t *restrict b = from;
  for (size_t i = 0; i < n; i++) {
    if (b[i] < a[i]) a[i] = b[i];
  }
}

ovk__combine *ovk__combine_of(ovk_type type, ovk_op op)
{
  static ovk__combine *const table[][3] = {
      [OVK_DOUBLE] =
          {[OVK_SUM] = ovk__combine_sum_double, [OVK_MAX] = max_double, [OVK_MIN] = min_double},
      [OVK_INT64] = {[OVK_SUM] = sum_int64, [OVK_MAX] = max_int64, [OVK_MIN] = min_int64},
  };
  enum { NTYPES = sizeof table / sizeof *table, NOPS = sizeof *table / sizeof **table };
  const bool known = (unsigned)type < NTYPES && (unsigned)op < NOPS;
  return known ? table[type][op] : NULL;
}
