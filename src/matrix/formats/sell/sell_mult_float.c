/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of "sell" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/sell/sell_many.inc"
#include "matrix/formats/sell/sell_mult.inc"

double ovk__sell_float_mult_dot(const void *block, const double *x, double *y, ovk_poll poll,
                                const ovk__finish *finish)
{
  return sell_multiply(block, x, y, poll, finish);
}

void ovk__sell_float_mult_many(const void *block, int width, const double *x, double *y,
                               ovk_poll poll, const ovk__finish *finish, double *dots)
{
  sell_multiply_many(block, width, x, y, poll, finish, dots);
}
