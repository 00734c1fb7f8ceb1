/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of 8 columns for processors with vectors of eight; apart, as columns.h has one type for
 * them. A row of a block is one vector, so the sweeps are compiled for each form of a triangle. */
#define OVK__WIDE_LANES
#include "precond/incomplete/triangle/triangle_many_rows.h"

#define SOLVE(form) (triangle_many_solve_of(8, T, form, r, x, &p, to), p)
#define SPREAD(form) (triangle_many_spread_of(8, T, form, x, &p, to), p)

OVK_WIDE static place triangle_wide_solve(const ovk__triangle *T, const double *r, double *x,
                                          place p, int64_t to)
{
  if (T->upper) FOR_FORM(T, true, SOLVE);
  FOR_FORM(T, false, SOLVE);
}

OVK_WIDE static place triangle_wide_spread(const ovk__triangle *T, double *x, place p, int64_t to)
{
  FOR_FORM(T, false, SPREAD);
}

void ovk__triangle_many_solve_wide(const ovk__triangle *T, const double *r, double *x, place *p,
                                   int64_t to)
{
  *p = triangle_wide_solve(T, r, x, *p, to);
}

void ovk__triangle_many_spread_wide(const ovk__triangle *T, double *x, place *p, int64_t to)
{
  *p = triangle_wide_spread(T, x, *p, to);
}
