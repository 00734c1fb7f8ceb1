/* SPDX-License-Identifier: BSD-2-Clause */
/* From compressed rows to the upper half of a symmetric block by diagonals. */
#ifndef OVK_MATRIX_FORMATS_SYM_SYMDIA_ROWS_H
#define OVK_MATRIX_FORMATS_SYM_SYMDIA_ROWS_H

#include "matrix/formats/dia/diagonals.h"

/* The values of A, of which d is the plan; those of before are replaced. Without such values d
 * takes over the array A->val, which is NULL then, if it has room for them. OVK_ERR_UNSUPPORTED,
 * naming an entry, if A is not symmetric, bit for bit. After a failure A is unchanged. */
ovk_err ovk__symdia_fill(ovk_ctx *ctx, ovk__csr *A, ovk__diagonals *d);

#endif
