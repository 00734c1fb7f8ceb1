/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a local block is symmetric, bit for bit: what the symmetric formats must know first. */
#ifndef OVK_MATRIX_FORMATS_SYMMETRY_H
#define OVK_MATRIX_FORMATS_SYMMETRY_H

#include "matrix/csr.h"

#include <stdbool.h>

/* *symmetric <- whether for each entry (i,j) there is one at (j,i) with the same bits; if not, *row
 * and *col are the first entry met that has none. Takes time linear in the entries up to there, and
 * 8 bytes a row. Not collective. */
ovk_err ovk__symmetry_check(ovk_ctx *ctx, const ovk__csr *A, bool *symmetric, ovk_lidx *row,
                            ovk_lidx *col);

/* The same as a refusal: OVK_ERR_UNSUPPORTED, with the entry named, if A is not symmetric. */
ovk_err ovk__symmetry_require(ovk_ctx *ctx, const ovk__csr *A);

#endif
