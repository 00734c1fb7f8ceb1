/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of "sym3" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/sym3/sym3_many.inc"
#include "matrix/formats/sym3/sym3_mult.inc"

const ovk__products ovk__sym3_products_float = {
    .dot = sym3_multiply,
    .many = sym3_multiply_many,
};
