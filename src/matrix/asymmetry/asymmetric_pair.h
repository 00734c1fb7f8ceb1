/* SPDX-License-Identifier: BSD-2-Clause */
/* Two entries that show that a matrix is not symmetric. */
#ifndef OVK_MATRIX_ASYMMETRY_ASYMMETRIC_PAIR_H
#define OVK_MATRIX_ASYMMETRY_ASYMMETRIC_PAIR_H

#include <ovkrylov/matrix.h>

/* A(row,col) = entry and A(col,row) = mirrored, with row > col. */
typedef struct ovk__asymmetric_pair {
  ovk_gidx row, col;
  double entry, mirrored; /* the same if none was found */
} ovk__asymmetric_pair;

/* *out <- two entries that differ, about as much as any two whose rows are on one rank; overwrites
 * `work`, a vector with the rows of A. None is found in a shell. Collective; errors are agreed. */
ovk_err ovk__mat_asymmetric_pair(const ovk_mat *A, ovk_vec *work, ovk__asymmetric_pair *out);

#endif
