/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests whether a local block is bitwise symmetric, as the symmetric formats require, and makes it
 * so where it is symmetric to rounding. */
#ifndef OVK_MATRIX_FORMATS_SYM_SYMMETRY_H
#define OVK_MATRIX_FORMATS_SYM_SYMMETRY_H

#include "matrix/formats/csr.h"

#include <stdbool.h>
#include <string.h>

/* Fails with OVK_ERR_UNSUPPORTED, naming the entry, if there is an entry (i,j) without one at (j,i)
 * that has the same bits. Unless `exact`, they may differ by the rounding of an assembly: then each
 * gets their mean. A is unchanged after a failure. Takes time linear in the entries up to there,
 * and 16 bytes a row. Not collective. */
ovk_err ovk__symmetry_require(ovk_ctx *ctx, ovk__csr *A, bool exact);

/* The error of a block that is not symmetric: its entry (row,col) has no equal counterpart. */
ovk_err ovk__symmetry_refuse(ovk_ctx *ctx, ovk_lidx row, ovk_lidx col);

/* The values of a symmetric A left of the diagonal <- those right of it. Not collective. */
ovk_err ovk__symmetry_mirror(ovk_ctx *ctx, ovk__csr *A);

static inline bool ovk__same_bits(const double *a, const double *b)
{
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x == y;
}

#endif
