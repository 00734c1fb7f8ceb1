/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of 8 columns for processors with vectors of eight; apart, as columns.h has one type for
 * them. */
#define OVK__WIDE_LANES
#include "matrix/formats/row_many.h"

OVK_WIDE void ovk__csr_many_rows_wide(const ovk__csr *A, ovk_lidx from, ovk_lidx to,
                                      const double *x, double *y, double *dots)
{
  ovk__csr_many_rows_of(8, A, from, to, x, y, dots);
}
