/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of exact sums for all processors, and its totals. */
#include "core/exact/exact_fold.h"
#include "core/exact/exact_fold_rows.h"

/* Sums of so many terms stay within 64 bits in all lanes together. */
enum { FEW = 1 << 11 };

OVK_FOR_NARROW_CPUS
bool ovk__folds_add_narrow(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                           const double *y)
{
  return fold_any(f, folds, exponent, n, x, y);
}

bool ovk__folds_add(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                    const double *y)
{
  return OVK_WIDE_OR_NARROW(ovk__folds_add_wide, ovk__folds_add_narrow, f, folds, exponent, n, x,
                            y);
}

void ovk__folds_total(const ovk__folds *f, int k, int64_t *high, int64_t *low)
{
  const bool few = f->terms <= FEW;
  uint64_t sum = 0;
  *high = 0;
  for (int l = 0; l < OVK__LANES; l++) {
    const uint64_t lane = f->lane[k][l];
    if (!few) *high += (int64_t)(lane >> 32) - (int64_t)(lane >> 63 << 32);
    sum += few ? lane : lane & UINT32_MAX;
  }
  *low = (int64_t)sum;
}
