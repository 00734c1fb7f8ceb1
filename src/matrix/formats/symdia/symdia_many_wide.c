/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of 8 columns for processors with vectors of eight; apart, as columns.h has one type for
 * them. */
#define OVK__WIDE_LANES
#include "matrix/formats/symdia/symdia_many_rows.h"
#include "matrix/formats/symdia/symdia_wide.h"

__attribute__((target("arch=x86-64-v4"))) void ovk__symdia_many_wide(const ovk__symdia *b,
                                                                     ovk_lidx from, ovk_lidx to,
                                                                     const double *x, double *y,
                                                                     double *sum)
{
  symdia_many_chunks_of(8, b, from, to, x, y, sum);
}
