/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole chunks of "symdia" with stencils of 5 and 7 points: the main diagonal, its neighbor, and
 * others that are alone and farther away than the rows of a chunk. x and the sums of the rows stay
 * in registers. The neighbor is added to y at the end, while y is in registers: y that it had just
 * written would be read back shifted by a row. A row has the order of additions of other chunks. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_APART_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_APART_H

#include "core/base/lanes.h"
#include "matrix/formats/symdia/symdia_mult.h"
#include "matrix/formats/value.h"

enum { OVK__SYMDIA_LANES = OVK__SYMDIA_CHUNK_HEIGHT / OVK__LANES };

/* Whether the n diagonals of a chunk are such ones. */
OVK_ALWAYS_INLINE bool ovk__symdia_is_apart(const ovk_lidx *offset, ovk_lidx n)
{
  if (n < 2 || offset[0] != 0 || offset[1] != 1) return false;
  if (n > 2 && offset[2] <= OVK__SYMDIA_CHUNK_HEIGHT) return false;
  for (ovk_lidx k = 2; k < n; k++)
    if (ovk__symdia_together(offset, n, k) > 1) return false;
  return true;
}

/* t <- t + u x */
OVK_ALWAYS_INLINE void symdia_apart_row(const ovk__value *u, const double *x, ovk__lanes *t)
{
  ovk__lanes a, b;
  ovk__lanes_of(&a, u, OVK__IS_SINGLE, 0);
  ovk__lanes_of_doubles(&b, x);
  ovk__lanes_add(t, &a, &b);
}

/* Eight rows of a diagonal: t <- t + u x(i + d), y(i + d) <- y(i + d) + u x(i). `first`: y has no
 * values there yet. */
OVK_ALWAYS_INLINE void symdia_apart_add(bool first, const ovk__value *u, const ovk__lanes *x,
                                        const double *x_d, ovk__lanes *t, double *y_d)
{
  ovk__lanes a, b, y = {0};
  ovk__lanes_of(&a, u, OVK__IS_SINGLE, 0);
  ovk__lanes_of_doubles(&b, x_d);
  ovk__lanes_add(t, &a, &b);
  if (!first) ovk__lanes_of_doubles(&y, y_d);
  ovk__lanes_add(&y, &a, x);
  ovk__lanes_to_doubles(y_d, &y);
}

/* y <- (y + u(i - 1) x(i - 1)) + t, dot <- dot + (x, y) in eight rows. `head`: the first ones of a
 * chunk. The value before them is read, but not used. */
OVK_ALWAYS_INLINE void symdia_apart_complete(bool head, const ovk__value *u, const double *x,
                                             const ovk__lanes *x_0, const ovk__lanes *t, double *y,
                                             ovk__lanes *dot)
{
  ovk__lanes a, b, sum;
  ovk__lanes_of(&a, u, OVK__IS_SINGLE, -1);
  ovk__lanes_of_doubles(&b, x - 1);
  ovk__lanes_scale(&a, &b);
  ovk__lanes_of_doubles(&sum, y);
  ovk__lanes_add_where(head ? ~1u : ~0u, &sum, &a);
  ovk__lanes_add_where(~0u, &sum, t);
  ovk__lanes_to_doubles(y, &sum);
  ovk__lanes_add(dot, x_0, &sum);
}

/* All n diagonals of a chunk, x and y at its first row. `first`: the rows of y that the last
 * diagonal reaches have no values yet, and no other diagonal reaches them. */
OVK_ALWAYS_INLINE void ovk__symdia_times_apart(bool first, ovk_lidx n,
                                               const ovk_lidx *restrict offset,
                                               const ovk__value *restrict val,
                                               const double *restrict x, double *restrict y,
                                               ovk__lanes *dot)
{
  enum { HEIGHT = OVK__SYMDIA_CHUNK_HEIGHT, PARTS = OVK__SYMDIA_LANES };
  const ovk__value *u = val + HEIGHT;
  ovk__lanes x_0[PARTS], t[PARTS];
  ovk__prefetch_entries(val, sizeof *val, (int64_t)2 * HEIGHT);
  OVK__SYMDIA_FOR_PARTS(p, PARTS) {
    t[p] = (ovk__lanes){0};
    const ptrdiff_t l = (ptrdiff_t)p * OVK__LANES;
    ovk__lanes_of_doubles(&x_0[p], x + l);
    symdia_apart_row(val + l, x + l, &t[p]);
    symdia_apart_row(u + l, x + l + 1, &t[p]);
  }
  val = u + HEIGHT;
  for (ovk_lidx k = 2; k < n; k++, val += HEIGHT) {
    const ovk_lidx d = offset[k];
    ovk__prefetch_entries(val, sizeof *val, HEIGHT);
    if (first && k == n - 1) {
      OVK__SYMDIA_FOR_PARTS(p, PARTS) {
        const int l = p * OVK__LANES;
        symdia_apart_add(true, val + l, &x_0[p], x + d + l, &t[p], y + d + l);
      }
    } else {
      OVK__SYMDIA_FOR_PARTS(p, PARTS) {
        const int l = p * OVK__LANES;
        symdia_apart_add(false, val + l, &x_0[p], x + d + l, &t[p], y + d + l);
      }
    }
  }
  OVK__SYMDIA_FOR_PARTS(p, PARTS) {
    const int l = p * OVK__LANES;
    symdia_apart_complete(p == 0, u + l, x + l, &x_0[p], &t[p], y + l, dot);
  }
  y[HEIGHT] += u[HEIGHT - 1] * x[HEIGHT - 1];
}

#endif
