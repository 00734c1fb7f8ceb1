/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of "dia" with values in double. */
#include "matrix/formats/dia/dia_mult.inc"
#include "matrix/formats/dia/dia_many.inc"

const ovk__products ovk__dia_products = {
    .dot = dia_multiply,
    .ordered = dia_multiply_in_order,
    .many = dia_product_many,
};
