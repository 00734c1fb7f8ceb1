/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of 8 columns for processors with vectors of eight; apart, as columns.h has one type for
 * them. A row of a block is one vector, so the sweeps are compiled for each form of a triangle. */
#define OVK__WIDE_LANES
#include "precond/incomplete/triangle/dia_triangle_many_rows.h"

OVK_WIDE void ovk__dia_triangle_many_wide(const ovk__dia_triangle *T, form f, const double *r,
                                          double *x, int64_t done, int64_t to)
{
  if (f.single && f.backward) {
    dia_triangle_many_rows(8, T, (form){true, true}, r, x, done, to);
  } else if (f.single) {
    dia_triangle_many_rows(8, T, (form){true, false}, r, x, done, to);
  } else if (f.backward) {
    dia_triangle_many_rows(8, T, (form){false, true}, r, x, done, to);
  } else {
    dia_triangle_many_rows(8, T, (form){false, false}, r, x, done, to);
  }
}
