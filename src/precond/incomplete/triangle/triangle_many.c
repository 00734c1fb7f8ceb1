/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a packed triangle for blocks of columns. A value is used for all columns, so that
 * here the types of a triangle's arrays need no sweeps of their own. */
#include "precond/incomplete/triangle/dia_triangle_many.h"
#include "precond/incomplete/triangle/triangle_many_rows.h"

#include <string.h>

static form form_of(const ovk__triangle *T)
{
  return (form){T->narrow, T->single, T->upper, T->grouped};
}

OVK_FOR_EACH_CPU
static void triangle_many_solve_narrow(int width, const ovk__triangle *T, const double *r,
                                       double *x, place *p, int64_t to)
{
  OVK__FOR_WIDTH(width, triangle_many_solve_of, T, form_of(T), r, x, p, to);
}

OVK_FOR_EACH_CPU
static void triangle_many_spread_narrow(int width, const ovk__triangle *T, double *x, place *p,
                                        int64_t to)
{
  OVK__FOR_WIDTH(width, triangle_many_spread_of, T, form_of(T), x, p, to);
}

void ovk__triangle_solve_many(const ovk__triangle *T, int width, const double *r, double *x,
                              ovk_poll poll)
{
  if (T->by_diagonals) {
    ovk__dia_triangle_solve_many(&T->dia, width, T->upper, r, x, poll);
    return;
  }
  for (place p = {0, 0}; p.row < T->n;) {
    OVK__NARROW_OR_WIDE(width, triangle_many_solve_narrow, ovk__triangle_many_solve_wide, T, r, x,
                        &p, ovk_poll_until(poll, (ovk_lidx)p.row, T->n));
    ovk_poll_call(poll);
  }
}

void ovk__triangle_solve_transposed_many(const ovk__triangle *T, int width, const double *r,
                                         double *x, ovk_poll poll)
{
  if (T->by_diagonals) {
    ovk__dia_triangle_solve_many(&T->dia, width, true, r, x, poll);
    return;
  }
  if (r != x && T->n) memcpy(x, r, (size_t)T->n * (size_t)width * sizeof *x);
  for (place p = {T->n, T->nvalues}; p.row > 0;) {
    const ovk_lidx done = (ovk_lidx)(T->n - p.row);
    OVK__NARROW_OR_WIDE(width, triangle_many_spread_narrow, ovk__triangle_many_spread_wide, T, x,
                        &p, T->n - ovk_poll_until(poll, done, T->n));
    ovk_poll_call(poll);
  }
}
