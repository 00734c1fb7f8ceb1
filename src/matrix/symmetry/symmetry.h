/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a matrix is symmetric: exactly and nearly, by its entries; and for any operator by its
 * action on vectors, with a number. */
#ifndef OVK_MATRIX_SYMMETRY_SYMMETRY_H
#define OVK_MATRIX_SYMMETRY_SYMMETRY_H

#include "matrix/mat_impl.h"

/* *symmetric <- whether A(i,j) and A(j,i) are the same numbers, for all entries of an assembled A.
 * Collective; errors are agreed. */
ovk_err ovk__mat_is_symmetric(const ovk_mat *A, bool *symmetric);

/* *positive <- whether all A(i,i) > 0, of an assembled A. Collective; errors are agreed. */
ovk_err ovk__mat_has_positive_diagonal(const ovk_mat *A, bool *positive);

/* *symmetric <- whether A(i,j) and A(j,i) differ by rounding only, as that of an assembly, relative
 * to the root of |A(i,i) A(j,j)|, for all entries of an assembled A. Collective; errors are agreed.
 */
ovk_err ovk__mat_is_nearly_symmetric(const ovk_mat *A, bool *symmetric);

/* The measure of ovk_mat_asymmetry() for any operator. in and out are vectors with its
 * layout; on return in is a vector of random numbers, and out the operator times in. Collective;
 * errors are agreed. */
ovk_err ovk__asymmetry(ovk__operator apply, const void *A, ovk_vec *in, ovk_vec *out,
                       double *result);

/* A(row,col) = entry and A(col,row) = mirrored, with row > col. */
typedef struct ovk__asymmetric_pair {
  ovk_gidx row, col;
  double entry, mirrored; /* the same if none was found */
} ovk__asymmetric_pair;

/* *out <- two entries that differ, about as much as any two whose rows are on one rank; overwrites
 * `work`, a vector with the rows of A. None is found in a shell. Collective; errors are agreed. */
ovk_err ovk__mat_asymmetric_pair(const ovk_mat *A, ovk_vec *work, ovk__asymmetric_pair *out);

#endif
