/* SPDX-License-Identifier: BSD-2-Clause */
/* A copy of a matrix with values in float, which takes half the memory, and half the time if
 * the time of a product is that of memory: for products inside of preconditioners. */
#ifndef OVK_MATRIX_FLOAT_FLOAT_COPY_H
#define OVK_MATRIX_FLOAT_FLOAT_COPY_H

#include <ovkrylov/matrix.h>

/* *out <- A with its values rounded to float, to be freed with ovk_mat_destroy(). It has products,
 * of vectors in double, and a diagonal; it has no rows to read and takes no new values. Its storage
 * format is that of A, but "sell" for "csr"; "pattern", whose values are few, keeps them in double.
 *
 * *scale <- NULL, or, where the diagonal of A is so large or so small that entries would be beyond
 * the range of float, a vector of powers of two, S: then *out is S A S, rounded, with a diagonal
 * of absolute values between 1/2 and 4.
 *
 * Collective; errors are agreed. OVK_ERR_STATE before assembly, OVK_ERR_UNSUPPORTED for a shell,
 * OVK_ERR_RANGE if an entry is beyond the range of float all the same, OVK_ERR_MEMORY. */
ovk_err ovk__mat_copy_float(const ovk_mat *A, ovk_mat **out, ovk_vec **scale);

#endif
