/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with the upper half of a symmetric block by diagonals. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MULT_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MULT_H

#include "matrix/formats/products.h"
#include "matrix/formats/symdia/symdia_rows.h"

/* Rows of a chunk, a multiple of 8: in longer ones x and y come from the second cache and beyond in
 * bursts that prefetching does not hide, in shorter ones the work of a chunk itself counts. */
enum { OVK__SYMDIA_CHUNK_HEIGHT = 24 };

/* The parts p of a chunk, unrolled: their sums are in registers from one diagonal to the next. */
#define OVK__SYMDIA_FOR_PARTS(p, parts) _Pragma("GCC unroll 3") for (int p = 0; p < (parts); p++)

/* How many diagonals of the list are processed together, from number k on: three neighbors or one.
 */
static inline int ovk__symdia_together(const ovk_lidx *offset, ovk_lidx n, ovk_lidx k)
{
  return k + 2 < n && offset[k + 2] == offset[k] + 2 ? 3 : 1;
}

/* The same for a list in descending order. */
static inline int ovk__symdia_together_down(const ovk_lidx *offset, ovk_lidx n, ovk_lidx k)
{
  return k + 2 < n && offset[k + 2] == offset[k] - 2 ? 3 : 1;
}

/* `ordered` is for blocks as ovk__symdia_flip() leaves them with `down`, the others without it. */
extern const ovk__products ovk__symdia_products, ovk__symdia_products_float;

#endif
