/* SPDX-License-Identifier: BSD-2-Clause */
/* A block in the format "sell", which sell_format.c builds and sell_mult.c multiplies. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_BLOCK_H
#define OVK_MATRIX_FORMATS_SELL_SELL_BLOCK_H

#include "matrix/formats/sell/sell_entries.h"
#include "matrix/formats/sell/sell_windows.h"

typedef struct ovk__sell {
  ovk__windows windows;
  ovk_lidx
      *origin; /* [window]: its lowest column, from which the columns of its entries are counted */
  ovk__entries entries;
} ovk__sell;

/* y <- A x; returns (x, y). The second one is for values in float. */
double ovk__sell_mult_dot(const void *block, const double *x, double *y, ovk_poll poll,
                          const ovk__finish *finish);
double ovk__sell_float_mult_dot(const void *block, const double *x, double *y, ovk_poll poll,
                                const ovk__finish *finish);

/* As ovk__format.mult_ordered. */
void ovk__sell_mult_ordered(const void *block, const double *x, double *y, ovk_poll poll,
                            const ovk__finish *finish);

/* As ovk__format.mult_many. */
void ovk__sell_mult_many(const void *block, int width, const double *x, double *y, ovk_poll poll,
                         const ovk__finish *finish, double *dots);
void ovk__sell_float_mult_many(const void *block, int width, const double *x, double *y,
                               ovk_poll poll, const ovk__finish *finish, double *dots);

#endif
