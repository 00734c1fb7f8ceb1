/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a triangle by diagonals for blocks of columns. */
#include "precond/incomplete/triangle/dia_triangle_many.h"
#include "precond/incomplete/triangle/dia_triangle_many_rows.h"

OVK_FOR_EACH_CPU
static void dia_triangle_many_narrow(int width, const ovk__dia_triangle *T, form f, const double *r,
                                     double *x, int64_t done, int64_t to)
{
  OVK__FOR_WIDTH(width, dia_triangle_many_rows, T, f, r, x, done, to);
}

void ovk__dia_triangle_solve_many(const ovk__dia_triangle *T, int width, bool transposed,
                                  const double *r, double *x, ovk_poll poll)
{
  const form f = {T->single, transposed};
  for (int64_t done = 0, to; done < T->n; done = to) {
    to = ovk__dia_triangle_pause(T, poll, done);
    OVK__NARROW_OR_WIDE(width, dia_triangle_many_narrow, ovk__dia_triangle_many_wide, T, f, r, x,
                        done, to);
    ovk_poll_call(poll);
  }
}
