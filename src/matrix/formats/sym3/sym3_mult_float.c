/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of "sym3" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/sym3/sym3_many.inc"
#include "matrix/formats/sym3/sym3_mult.inc"

double ovk__sym3_float_mult_dot(const void *block, const double *x, double *y, ovk_poll poll,
                                const ovk__finish *finish)
{
  return sym3_multiply(block, x, y, poll, finish);
}

void ovk__sym3_float_mult_many(const void *block, int width, const double *x, double *y,
                               ovk_poll poll, const ovk__finish *finish, double *dots)
{
  sym3_multiply_many(block, width, x, y, poll, finish, dots);
}
