/* SPDX-License-Identifier: BSD-2-Clause */
/* A block in the format "sell", which sell_format.c builds and sell_mult.c multiplies. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_BLOCK_H
#define OVK_MATRIX_FORMATS_SELL_SELL_BLOCK_H

#include "matrix/formats/products.h"
#include "matrix/formats/sell/sell_entries.h"
#include "matrix/formats/sell/sell_windows.h"

typedef struct ovk__sell {
  ovk__windows windows;
  ovk_lidx
      *origin; /* [window]: its lowest column, from which the columns of its entries are counted */
  ovk__entries entries;
} ovk__sell;

extern const ovk__products ovk__sell_products, ovk__sell_products_float;

#endif
