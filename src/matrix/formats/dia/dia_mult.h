/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with a block by diagonals. */
#ifndef OVK_MATRIX_FORMATS_DIA_DIA_MULT_H
#define OVK_MATRIX_FORMATS_DIA_DIA_MULT_H

#include "core/base/lanes.h"
#include "matrix/formats/dia/diagonals.h"

/* Rows of a chunk: 8, one a lane. */
enum { OVK__DIA_CHUNK_HEIGHT = OVK__LANES };

/* Whether chunk c is complete and no padding lies outside of x. */
static inline bool ovk__dia_is_inside(const ovk__diagonals *d, ovk_lidx c, ovk_lidx n,
                                      const ovk_lidx *offset)
{
  const ovk_lidx i = c * OVK__DIA_CHUNK_HEIGHT;
  return d->rows - i >= OVK__DIA_CHUNK_HEIGHT &&
         (n == 0 || (offset[0] >= -i && offset[n - 1] <= d->rows - OVK__DIA_CHUNK_HEIGHT - i));
}

/* y <- A x; returns (x, y). d has chunks of OVK__DIA_CHUNK_HEIGHT rows, or slices of them. The
 * second one is for values in float. */
double ovk__dia_mult_dot(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                         const ovk__finish *finish);
double ovk__dia_float_mult_dot(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                               const ovk__finish *finish);

/* The same in the order of order/whole_rows.h, without (x, y). */
void ovk__dia_mult_ordered(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                           const ovk__finish *finish);
void ovk__dia_float_mult_ordered(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                                 const ovk__finish *finish);

/* As ovk__format.mult_many. */
void ovk__dia_mult_many(const ovk__diagonals *d, int width, const double *x, double *y,
                        ovk_poll poll, const ovk__finish *finish, double *dots);
void ovk__dia_float_mult_many(const ovk__diagonals *d, int width, const double *x, double *y,
                              ovk_poll poll, const ovk__finish *finish, double *dots);

#endif
