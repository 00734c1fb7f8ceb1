/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of exact sums for processors with vectors of eight. It has a separate file, as the
 * lanes of a file have one width. */
#define OVK__WIDE_LANES
#include "core/exact/exact_fold.h"
#include "core/exact/exact_fold_rows.h"

OVK_WIDE bool ovk__folds_add_wide(ovk__folds *f, int folds, int exponent, ovk_lidx n,
                                  const double *x, const double *y)
{
  return fold_any(f, folds, exponent, n, x, y);
}
