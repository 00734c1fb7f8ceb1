/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of "dia" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/dia/dia_many.inc"
#include "matrix/formats/dia/dia_mult.inc"

double ovk__dia_float_mult_dot(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                               const ovk__finish *finish)
{
  return dia_product(d, false, x, y, poll, finish);
}

void ovk__dia_float_mult_ordered(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                                 const ovk__finish *finish)
{
  (void)dia_product(d, true, x, y, poll, finish);
}

void ovk__dia_float_mult_many(const ovk__diagonals *d, int width, const double *x, double *y,
                              ovk_poll poll, const ovk__finish *finish, double *dots)
{
  dia_product_many(d, width, x, y, poll, finish, dots);
}
