/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a matrix is symmetric except for the rounding of its assembly. */
#ifndef OVK_MATRIX_NEAR_SYMMETRY_H
#define OVK_MATRIX_NEAR_SYMMETRY_H

#include "matrix/mat_impl.h"

/* *symmetric <- whether A(i,j) and A(j,i) differ by rounding only, relative to the root of
 * |A(i,i) A(j,j)|, for all entries of an assembled A. Collective; errors are agreed. */
ovk_err ovk__mat_is_nearly_symmetric(const ovk_mat *A, bool *symmetric);

#endif
