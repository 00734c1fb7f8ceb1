/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of unknowns per point of a matrix whose user has not set it. */
#ifndef OVK_MATRIX_NEAR_NULLSPACE_FIND_BLOCK_H
#define OVK_MATRIX_NEAR_NULLSPACE_FIND_BLOCK_H

#include "matrix/mat_impl.h"

/* *block <- the block size of an assembled A if it is set; else 2 or 3 if a sample of its rows has
 * the couplings of so many unknowns per point, and ranks have whole points; else 1. It depends on
 * A only, not on the number of ranks. Collective; errors are agreed. */
ovk_err ovk__mat_find_block(const ovk_mat *A, int *block);

#endif
