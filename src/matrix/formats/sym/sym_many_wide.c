/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of 8 columns for processors with vectors of eight; apart, as columns.h has one type for
 * them. */
#define OVK__WIDE_LANES
#include "matrix/formats/sym/sym_many_window.h"

__attribute__((target("arch=x86-64-v4"))) void
ovk__sym_many_window_wide(const ovk__sym *b, ovk_lidx k, const double *x, double *y,
                          ovk_lidx *begun, double *sum)
{
  if (b->entries.near) {
    sym_many_window_of(8, b, true, k, x, y, begun, sum);
  } else {
    sym_many_window_of(8, b, false, k, x, y, begun, sum);
  }
}
