/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests whether a local block is bitwise symmetric, as the symmetric formats require. */
#ifndef OVK_MATRIX_FORMATS_SYM_SYMMETRY_H
#define OVK_MATRIX_FORMATS_SYM_SYMMETRY_H

#include "matrix/formats/csr.h"

#include <stdbool.h>
#include <string.h>

/* *symmetric <- whether for each entry (i,j) there is one at (j,i) with the same bits; if not, *row
 * and *col are the first entry found that has none. Takes time linear in the entries up to there,
 * and 8 bytes per row. Not collective. */
ovk_err ovk__symmetry_check(ovk_ctx *ctx, const ovk__csr *A, bool *symmetric, ovk_lidx *row,
                            ovk_lidx *col);

/* Fails with OVK_ERR_UNSUPPORTED, naming the entry, if A is not symmetric. */
ovk_err ovk__symmetry_require(ovk_ctx *ctx, const ovk__csr *A);

/* The error of a block that is not symmetric: its entry (row,col) has no equal counterpart. */
ovk_err ovk__symmetry_refuse(ovk_ctx *ctx, ovk_lidx row, ovk_lidx col);

static inline bool ovk__same_bits(const double *a, const double *b)
{
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x == y;
}

#endif
