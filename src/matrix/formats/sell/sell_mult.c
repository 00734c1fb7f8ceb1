/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of "sell" with values in double. */
#include "matrix/formats/sell/sell_mult.inc"

double ovk__sell_mult_dot(const void *block, const double *x, double *y, ovk_poll poll,
                          const ovk__finish *finish)
{
  return sell_multiply(block, x, y, poll, finish);
}
