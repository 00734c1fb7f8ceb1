/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums, maxima and minima. Of equal values (0 and -0) `to` is kept; of two NaNs `from` is taken. So
 * results have the same bits only if values are combined in the same order. */
#include "engine/combine.h"

#include <math.h>

void ovk__combine_sum_double(void *to, const void *from, size_t n)
{
  double *restrict a = to;
  const double *restrict b = from;
  for (size_t i = 0; i < n; i++) a[i] += b[i];
}

/* A NaN in `a` stays, as comparisons with it are false, unless b is a NaN, too. */
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

/* Unsigned: signed overflow would be undefined. */
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
      [OVK_TYPE_DOUBLE] = {[OVK_OP_SUM] = ovk__combine_sum_double,
                           [OVK_OP_MAX] = max_double,
                           [OVK_OP_MIN] = min_double},
      [OVK_TYPE_INT64] =
          {[OVK_OP_SUM] = sum_int64, [OVK_OP_MAX] = max_int64, [OVK_OP_MIN] = min_int64},
  };
  enum { NTYPES = sizeof table / sizeof *table, NOPS = sizeof *table / sizeof **table };
  const bool known = (unsigned)type < NTYPES && (unsigned)op < NOPS;
  return known ? table[type][op] : NULL;
}
