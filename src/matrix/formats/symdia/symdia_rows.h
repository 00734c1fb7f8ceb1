/* SPDX-License-Identifier: BSD-2-Clause */
/* The upper half of a symmetric block by diagonals, from compressed rows and back. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_ROWS_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_ROWS_H

#include "matrix/formats/dia/diagonals.h"

typedef struct ovk__symdia {
  ovk__diagonals d; /* first: a block of diagonals.h */
  ovk_lidx *offset; /* all that occur, increasing; not read by products */
  ovk_lidx noffsets;
  ovk_lidx *reach; /* how many chunks further down the mirrored values of a chunk may be,
                      increasing from 1 */
  ovk_lidx nreach;
} ovk__symdia;

/* The values of A; d is its plan. d takes over the array A->val, which is NULL then, if it
 * has room for them. *symmetric <- whether A is, bit for bit: if not, and after a failure, A is
 * unchanged, and d of no use. */
ovk_err ovk__symdia_fill(ovk_ctx *ctx, ovk__csr *A, ovk__diagonals *d, bool *symmetric);

/* Diagonals from the last to the first if `down`, as products in order read them, or else from the
 * first to the last, as all others do. */
void ovk__symdia_flip(ovk__diagonals *d, bool down);

/* As ovk__format.row, .lengths, .unfold and .refill. */
ovk_lidx ovk__symdia_row(const void *block, ovk_lidx i, ovk_lidx *col, double *val);
void ovk__symdia_lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length);
ovk_err ovk__symdia_unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out);
ovk_err ovk__symdia_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block);

#endif
