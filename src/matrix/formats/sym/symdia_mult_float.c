/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of "symdia" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/sym/symdia_many.inc"
#include "matrix/formats/sym/symdia_mult.inc"

double ovk__symdia_float_mult_dot(const ovk__diagonals *d, const double *x, double *y,
                                  ovk_poll poll, const ovk__finish *finish)
{
  return symdia_product(d, x, y, poll, finish);
}

void ovk__symdia_float_mult_many(const ovk__symdia *b, int width, const double *x, double *y,
                                 ovk_poll poll, const ovk__finish *finish, double *dots)
{
  symdia_product_many(b, width, x, y, poll, finish, dots);
}
