/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with a block by diagonals. */
#ifndef OVK_MATRIX_FORMATS_DIA_DIA_MULT_H
#define OVK_MATRIX_FORMATS_DIA_DIA_MULT_H

#include "core/base/lanes.h"
#include "matrix/formats/dia/diagonals.h"
#include "matrix/formats/products.h"

/* Rows of a chunk: 8, one a lane. */
enum { OVK__DIA_CHUNK_HEIGHT = OVK__LANES };

/* Whether chunk c is complete and no padding lies outside of x. */
static inline bool ovk__dia_is_inside(const ovk__diagonals *d, ovk_lidx c, ovk_lidx n,
                                      const ovk_lidx *offset)
{
  const ovk_lidx i = c * OVK__DIA_CHUNK_HEIGHT;
  return d->rows - i >= OVK__DIA_CHUNK_HEIGHT &&
         (n == 0 || (offset[0] >= -i && offset[n - 1] <= d->rows - OVK__DIA_CHUNK_HEIGHT - i));
}

/* Of blocks with chunks of OVK__DIA_CHUNK_HEIGHT rows, or slices of them. */
extern const ovk__products ovk__dia_products, ovk__dia_products_float;

#endif
