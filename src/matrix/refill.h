/* SPDX-License-Identifier: BSD-2-Clause */
/* New values on the pattern of an assembled matrix. */
#ifndef OVK_MATRIX_REFILL_H
#define OVK_MATRIX_REFILL_H

#include "matrix/mat_impl.h"

/* A(i,j) <- A(i,j) + value for a row of this rank, between ovk_mat_reset_values() and assembly.
 * OVK_ERR_RANGE if the pattern has no such entry. Not collective. */
ovk_err ovk__mat_refill_add(ovk_mat *A, ovk_lidx i, ovk_gidx j, double value);

/* Adds the leading entries of a list to row i, as many as follow each other in the pattern from the
 * last one added on, or from the begin of the row; *taken <- their number. Not collective. */
ovk_err ovk__mat_refill_take(ovk_mat *A, ovk_lidx i, int64_t n, const ovk_gidx *col,
                             const double *val, int64_t *taken);

/* After a failed assembly: A has its pattern, and no values. Not collective. */
void ovk__mat_refill_abandon(ovk_mat *A);

#endif
