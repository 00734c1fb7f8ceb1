/* SPDX-License-Identifier: BSD-2-Clause */
/* Iteration over some of the rows of a matrix. */
#ifndef OVK_MATRIX_SOME_ROWS_H
#define OVK_MATRIX_SOME_ROWS_H

#include "matrix/mat_impl.h"

/* As ovk_mat_for_each_row() for the rows that are `wanted`, NULL: all. A must be assembled. Errors
 * are those of this rank. Not collective. */
typedef bool ovk__row_filter(const void *arg, ovk_gidx i);
ovk_err ovk__mat_for_some_rows(const ovk_mat *A, ovk__row_filter *wanted, ovk_row_fn row,
                               void *arg);

#endif
