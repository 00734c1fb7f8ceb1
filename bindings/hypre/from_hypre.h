/* SPDX-License-Identifier: BSD-2-Clause */
/* A copy of a matrix of hypre that follows its values. */
#ifndef OVK_HYPRE_FROM_HYPRE_H
#define OVK_HYPRE_FROM_HYPRE_H

#include <HYPRE_parcsr_mv.h>
#include <ovkrylov/matrix.h>

/* A number that this rank's values make: other values have another one, except with a chance of
 * 2^-64.
 */
uint64_t ovk__hypre_hash_values(HYPRE_ParCSRMatrix A);

/* Copies new values on the same pattern. Collective; errors are agreed. */
ovk_err ovk__hypre_mat_refill(MPI_Comm comm, HYPRE_ParCSRMatrix A, ovk_mat *copy);

#endif
