/* SPDX-License-Identifier: BSD-2-Clause */
#include "matrix/formats/symdia/symdia_wide.inc"

OVK_WIDE void ovk__symdia_add_whole_wide_down(ovk_lidx n, const ovk_lidx *offset, const double *val,
                                              const double *x, double *t, double *y)
{
  wide_add_whole(true, n, offset, val, x, t, y);
}
