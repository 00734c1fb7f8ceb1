/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with a triangle by diagonals for blocks of columns. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_MANY_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_MANY_H

#include "precond/incomplete/triangle/dia_triangle.h"

/* x <- T^-1 r, or x <- T^-T r, for blocks of `width` columns; x may be r. */
void ovk__dia_triangle_solve_many(const ovk__dia_triangle *T, int width, bool transposed,
                                  const double *r, double *x, ovk_poll poll);

#endif
