/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with a block in "sell" with values in float that need not be square, and with its
 * transpose. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_RECTANGLE_H
#define OVK_MATRIX_FORMATS_SELL_SELL_RECTANGLE_H

#include "matrix/formats/sell/sell_block.h"

/* *out <- these rows, whose columns increase, to be destroyed also after a failure; takes over
 * their entries, if any. OVK_ERR_RANGE if a value is beyond the range of float. Not collective. */
ovk_err ovk__sell_rectangle_create(ovk_ctx *ctx, ovk__csr *A, ovk__sell **out);
void ovk__sell_rectangle_destroy(ovk__sell **A);
int64_t ovk__sell_rectangle_bytes(const ovk__sell *A);

/* y <- y + A x for blocks of `width` columns, 1, 2, 4 or 8: each column has the same bits with any
 * width. The same holds for the product with the transpose. */
void ovk__sell_rectangle_add(const ovk__sell *A, int width, const double *x, double *y,
                             ovk_poll poll);

/* y <- y + A^T x */
void ovk__sell_rectangle_add_transpose(const ovk__sell *A, int width, const double *x, double *y,
                                       ovk_poll poll);

#endif
