/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of "symdia" times blocks of columns. See value.h. The sums are
 * those of symdia_mult.inc, which adds u x(i) of an entry u at (i, i + d) to y(i + d): first from
 * the chunks before, each diagonal by diagonal. Here row i + d fetches u. So y is written once, not
 * with every diagonal, which would take 8 columns through the caches. Where the rows of a chunk
 * find their values depends on the diagonals of some chunks alone, and is the same for most. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MANY_ROWS_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MANY_ROWS_H

#include "core/base/columns.h"
#include "matrix/formats/symdia/symdia_mirrors.h"
#include "matrix/formats/value.h"

#include <stdbool.h>
#include <stddef.h>

enum { SYMDIA_ROWS = OVK__SYMDIA_CHUNK_HEIGHT };

/* The sums of two rows <- these + three neighboring entries of each, whose values are at u, v and
 * z, times x: from the first of four rows on, or, if `down`, from the third one back. */
OVK_ALWAYS_INLINE void symdia_many_three(int w, bool down, const ovk__value *restrict u,
                                         const ovk__value *restrict v, const ovk__value *restrict z,
                                         const double *restrict x, ovk__columns *sum,
                                         ovk__columns *next)
{
  ovk__columns a, b, c, d; /* not an array, which gcc would keep in memory */
  ovk__columns_load(w, &a, x);
  ovk__columns_load(w, &b, x + w);
  ovk__columns_load(w, &c, x + (ptrdiff_t)2 * w);
  ovk__columns_load(w, &d, x + (ptrdiff_t)3 * w);
  ovk__columns_add_scaled(w, sum, u[0], down ? &c : &a);
  ovk__columns_add_scaled(w, next, u[1], down ? &d : &b);
  ovk__columns_add_scaled(w, sum, v[0], &b);
  ovk__columns_add_scaled(w, next, v[1], &c);
  ovk__columns_add_scaled(w, sum, z[0], down ? &a : &c);
  ovk__columns_add_scaled(w, next, z[1], down ? &b : &d);
}

/* The sums of a pair of rows <- these + an entry times x */
OVK_ALWAYS_INLINE void mirrors_add_one(int w, const ovk__mirrored *one,
                                       const ovk__value *restrict u, const double *restrict x,
                                       ovk__columns *sum, ovk__columns *next)
{
  const ovk__value *v = u + SYMDIA_ROWS - 1, *z = v + SYMDIA_ROWS - 1;
  if (one->kind == OVK__MIRROR_THREE) {
    symdia_many_three(w, true, u, v, z, x, sum, next);
  } else if (one->kind == OVK__MIRROR_FIRST) {
    ovk__columns_add_multiple(w, sum, *u, x);
  } else {
    ovk__columns_add_multiple(w, next, *u, x);
  }
}

/* The sums of rows l and l + 1 <- these + the entries of m times x; x at row l, val at the chunk's
 * first value. */
OVK_ALWAYS_INLINE void mirrors_add_pair(int w, const ovk__mirrors *m, ovk_lidx l,
                                        const ovk__value *restrict val, const double *restrict x,
                                        ovk__columns *sum, ovk__columns *next)
{
  for (int e = 0; e < m->n[l / 2]; e++) {
    const ovk__mirrored *one = &m->entry[l / 2][e];
    mirrors_add_one(w, one, val + one->value, x + one->x, sum, next);
  }
}

/* sum <- the part of a row on and right of the diagonal, of a chunk of `rows` rows: the first n
 * diagonals, x and val at the row. */
OVK_ALWAYS_INLINE void symdia_many_row(int w, ovk_lidx n, const ovk_lidx *restrict offset,
                                       ovk_lidx rows, const ovk__value *restrict val,
                                       const double *restrict x, ovk__columns *sum)
{
  ovk_lidx k = 0;
  ovk__columns_zero(w, sum);
  if (n > 0 && offset[0] == 0) ovk__columns_set_multiple(w, sum, val[k++], x);
  for (; k < n; k++) {
    ovk__columns_add_multiple(w, sum, val[(int64_t)k * rows], x + (ptrdiff_t)offset[k] * w);
  }
}

/* The same for two rows, which have all diagonals; three neighbors share x. */
OVK_ALWAYS_INLINE void symdia_many_two(int w, ovk_lidx n, const ovk_lidx *restrict offset,
                                       const ovk__value *restrict val, const double *restrict x,
                                       ovk__columns *sum, ovk__columns *next)
{
  enum { ROWS = OVK__SYMDIA_CHUNK_HEIGHT };
  ovk_lidx k = 0;
  ovk__columns_zero(w, sum);
  ovk__columns_zero(w, next);
  if (n > 0 && offset[0] == 0) {
    ovk__columns_set_multiple(w, sum, val[0], x);
    ovk__columns_set_multiple(w, next, val[1], x + w);
    k++, val += ROWS;
  }
  for (int done; k < n; k += done, val += (ptrdiff_t)done * ROWS) {
    const double *at = x + (ptrdiff_t)offset[k] * w;
    done = ovk__symdia_together(offset, n, k);
    if (done == 3) {
      symdia_many_three(w, false, val, val + ROWS, val + (ptrdiff_t)2 * ROWS, at, sum, next);
    } else {
      ovk__columns_add_multiple(w, sum, val[0], at);
      ovk__columns_add_multiple(w, next, val[1], at + w);
    }
  }
}

#endif
