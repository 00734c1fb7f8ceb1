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

/* The rows of the local block while they take new values, in refill_rows.c. Not collective.
 *
 * A->again <- no rows yet, or all of a block that has to be unfolded as a whole. After a failure
 * ovk__refill_rows_free() must be called. */
ovk_err ovk__refill_rows_start(ovk_mat *A);

/* Moves A->again to the row i. */
ovk_err ovk__refill_rows_go(ovk_mat *A, ovk_lidx i);

/* Puts the values that are not there yet into the block; if it cannot hold them, into a new
 * block in the format of before assembly. */
ovk_err ovk__refill_rows_finish(ovk_mat *A);

void ovk__refill_rows_free(ovk_mat *A);

/* Makes A->again have row i. */
static inline ovk_err ovk__refill_rows_reach(ovk_mat *A, ovk_lidx i)
{
  const bool there = i >= A->again_first && i - A->again_first < A->again.rows;
  return there ? OVK_OK : ovk__refill_rows_go(A, i);
}

/* Clears the values of A->again up to row i, those that are not cleared yet: just before the first
 * one is added to, so that they are in cache then. -0.0 + value is value for all values, also for
 * -0.0, so that sums get the bits that they have in a new matrix. */
static inline void ovk__refill_rows_clear(ovk_mat *A, ovk_lidx i)
{
  if (i < A->cleared) return;
  const int64_t *ptr = A->again.ptr, end = ptr[i + 1 - A->again_first];
  for (int64_t k = ptr[A->cleared - A->again_first]; k < end; k++) A->again.val[k] = -0.0;
  A->cleared = i + 1;
}

#endif
