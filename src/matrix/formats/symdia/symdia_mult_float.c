/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of "symdia" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/symdia/symdia_many.inc"
#include "matrix/formats/symdia/symdia_mult.inc"

const ovk__products ovk__symdia_products_float = {
    .dot = symdia_product,
    .many = symdia_product_many,
};
