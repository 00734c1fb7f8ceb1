/* SPDX-License-Identifier: BSD-2-Clause */
/* The class of a matrix by its entries, exactly: unlike asymmetry.h, which probes any
 * operator by its action. */
#ifndef OVK_MATRIX_SYMMETRY_H
#define OVK_MATRIX_SYMMETRY_H

#include "matrix/mat_impl.h"

typedef struct ovk__symmetry {
  bool symmetric;         /* A(i,j) and A(j,i) are the same numbers, for all i and j */
  bool positive_diagonal; /* all A(i,i) > 0 */
} ovk__symmetry;

/* Reads the entries of an assembled A. Collective; errors are agreed. */
ovk_err ovk__mat_symmetry(const ovk_mat *A, ovk__symmetry *out);

#endif
