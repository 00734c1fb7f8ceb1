/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of "sym" with values in float. */
#define OVK__SINGLE
#include "matrix/formats/sym/sym_many.inc"
#include "matrix/formats/sym/sym_mult.inc"

const ovk__products ovk__sym_products_float = {
    .dot = sym_multiply,
    .many = sym_multiply_many,
};
