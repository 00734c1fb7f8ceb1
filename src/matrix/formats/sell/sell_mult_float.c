/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of "sell" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/sell/sell_many.inc"
#include "matrix/formats/sell/sell_mult.inc"

const ovk__products ovk__sell_products_float = {
    .dot = sell_multiply,
    .many = sell_multiply_many,
};
