/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of entries times a vector: four interleaved sums in the lanes of a vector, for which the
 * elements of x are loaded one by one, as gathers are slow on several processors. */
#ifndef OVK_MATRIX_FORMATS_ROW_SUM_H
#define OVK_MATRIX_FORMATS_ROW_SUM_H

#include "core/base/cpu_dispatch.h"
#include "matrix/formats/csr.h"
#include "matrix/formats/value.h"

#include <stdbool.h>
#include <string.h>

/* The entries of a row: columns in `near`, or in `far` if `is_near`, a compile-time constant in
 * kernels, is false. */
typedef struct ovk__row {
  const ovk__value *val;
  const uint16_t *near;
  const ovk_lidx *far;
  bool is_near;
} ovk__row;

OVK_ALWAYS_INLINE ovk_lidx ovk__row_column(const ovk__row *r, ovk_lidx k)
{
  return r->is_near ? r->near[k] : r->far[k];
}

/* Prefetches entries that are some distance after entry k, a cache line of values. */
OVK_ALWAYS_INLINE void ovk__row_prefetch(const ovk__row *r, ovk_lidx k)
{
  OVK_PREFETCH(r->val + k + OVK__PREFETCH_DISTANCE);
  if (r->is_near) {
    OVK_PREFETCH(r->near + k + OVK__PREFETCH_DISTANCE);
  } else {
    OVK_PREFETCH(r->far + k + OVK__PREFETCH_DISTANCE);
  }
}

/* Vectors where kernels have versions for processors with registers as long; one whose registers
 * are shorter is faster with four numbers. */
#ifdef OVK_CLONES
typedef double ovk__four __attribute__((vector_size(4 * sizeof(double))));

/* *out <- four values: one instruction, where __builtin_convertvector() is five with gcc 12 */
OVK_ALWAYS_INLINE void ovk__four_of(ovk__four *out, const ovk__value *val)
{
  *out = (ovk__four){val[0], val[1], val[2], val[3]};
}
#else
typedef struct ovk__four {
  double of[4];
} ovk__four;
#endif

/* The columns of entries k to k + 3. These loops wait for loads: four columns of 16 bits
 * are one, the first in the lowest bits, as on all processors that have versions. */
OVK_ALWAYS_INLINE void ovk__row_columns(const ovk__row *r, ovk_lidx k, ovk_lidx c[4])
{
#ifdef OVK_CLONES
  if (r->is_near) {
    uint64_t four;
    memcpy(&four, r->near + k, sizeof four);
    for (int l = 0; l < 4; l++) c[l] = (four >> 16 * l) & UINT16_MAX;
    return;
  }
#endif
  for (int l = 0; l < 4; l++) c[l] = ovk__row_column(r, k + l);
}

/* sum <- sum + the products of entries k to k + 3 */
OVK_ALWAYS_INLINE void ovk__row_add_four(const ovk__row *r, ovk_lidx k, const double *restrict x,
                                         ovk__four *sum)
{
  ovk_lidx c[4];
  ovk__row_columns(r, k, c);
#ifdef OVK_CLONES
  ovk__four val;
  ovk__four_of(&val, r->val + k);
  *sum += val * (ovk__four){x[c[0]], x[c[1]], x[c[2]], x[c[3]]};
#else
  for (int l = 0; l < 4; l++) sum->of[l] += r->val[k + l] * x[c[l]];
#endif
}

/* The sum of the n entries times x: four sums, in the lanes, and one of the up to three entries
 * that are left. */
OVK_ALWAYS_INLINE double ovk__row_sum(const ovk__row *r, ovk_lidx n, const double *restrict x)
{
  ovk__four lanes = {0};
  double sum[4], rest = 0;
  ovk_lidx k = 0;
  for (; k <= n - 8; k += 8) {
    ovk__row_prefetch(r, k);
    ovk__row_add_four(r, k, x, &lanes);
    ovk__row_add_four(r, k + 4, x, &lanes);
  }
  ovk__row_prefetch(r, k);
  if (k <= n - 4) {
    ovk__row_add_four(r, k, x, &lanes);
    k += 4;
  }
  for (; k < n; k++) rest += r->val[k] * x[ovk__row_column(r, k)];
  memcpy(sum, &lanes, sizeof sum);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

#endif
