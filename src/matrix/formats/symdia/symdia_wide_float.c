/* SPDX-License-Identifier: BSD-2-Clause */
#define OVK__SINGLE
#include "matrix/formats/symdia/symdia_wide.inc"

__attribute__((target("arch=x86-64-v4"))) void
ovk__symdia_add_whole_wide_float(ovk_lidx n, const ovk_lidx *offset, const float *val,
                                 const double *x, double *t, double *y)
{
  wide_add_whole(false, n, offset, val, x, t, y);
}
