/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of a matrix with the rows of each rank in another order. */
#ifndef OVK_MATRIX_REORDER_REORDER_ENTRIES_H
#define OVK_MATRIX_REORDER_REORDER_ENTRIES_H

#include "core/context/check.h"

#include <ovkrylov/matrix.h>

/* B <- the entries of A, in the order that B is to find, or has: then it gets new values.
 * Collective; errors are agreed. */
ovk_err ovk__reorder_entries(const ovk_mat *A, bool find, ovk_mat *B);

#endif
