/* SPDX-License-Identifier: BSD-2-Clause */
/* The products of a storage format: a table next to the kernels, one for blocks with values in
 * double and one for those in float. */
#ifndef OVK_MATRIX_FORMATS_PRODUCTS_H
#define OVK_MATRIX_FORMATS_PRODUCTS_H

#include "matrix/formats/finish.h"

#include <ovkrylov/plugin/poll.h>

typedef struct ovk__products {
  /* y <- A x; returns (x, y). Rows are passed to `finish`, unless it is NULL, in their order. */
  double (*dot)(const void *block, const double *x, double *y, ovk_poll poll,
                const ovk__finish *finish);
  /* y <- A x, each row in the order of order/whole_rows.h, with local columns as keys. NULL for
   * formats in float that need none. */
  void (*ordered)(const void *block, const double *x, double *y, ovk_poll poll,
                  const ovk__finish *finish);
  /* y[v] <- A x[v] for v = 0, 1 in one pass, bitwise equal to `dot`. NULL: two calls of `dot`. */
  void (*pair)(const void *block, const double *const x[2], double *const y[2], ovk_poll poll);
  /* y <- A x for blocks of `width` columns, 2, 4 or 8, as of matrix/many.h: each column bitwise
   * equal to `dot`. dots[c] <- (x_c, y_c). NULL: column by column, by `dot`. */
  void (*many)(const void *block, int width, const double *x, double *y, ovk_poll poll,
               const ovk__finish *finish, double *dots);
} ovk__products;

#endif
