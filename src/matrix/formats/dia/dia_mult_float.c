/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of "dia" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/dia/dia_many.inc"
#include "matrix/formats/dia/dia_mult.inc"

const ovk__products ovk__dia_products_float = {
    .dot = dia_multiply,
    .ordered = dia_multiply_in_order,
    .many = dia_product_many,
};
