/* SPDX-License-Identifier: BSD-2-Clause */
#include "matrix/formats/symdia/symdia_wide.inc"

__attribute__((target("arch=x86-64-v4"))) void
ovk__symdia_add_whole_wide(ovk_lidx n, const ovk_lidx *offset, const double *val, const double *x,
                           double *t, double *y)
{
  wide_add_whole(false, n, offset, val, x, t, y);
}

__attribute__((target("arch=x86-64-v4"))) void
ovk__symdia_add_whole_wide_down(ovk_lidx n, const ovk_lidx *offset, const double *val,
                                const double *x, double *t, double *y)
{
  wide_add_whole(true, n, offset, val, x, t, y);
}
