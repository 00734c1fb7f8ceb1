/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix of ovkrylov as a matrix of hypre. */
#ifndef OVK_HYPRE_TO_HYPRE_H
#define OVK_HYPRE_TO_HYPRE_H

#include "calls.h"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_mv.h>
#include <ovkrylov/matrix.h>

/* A copy of the matrix. */
typedef struct ovk__hypre_matrix {
  MPI_Comm comm;
  HYPRE_IJMatrix ij;
  HYPRE_ParCSRMatrix A; /* `ij` in the type that solvers take */
  ovk_lidx longest;     /* row, in entries */
} ovk__hypre_matrix;

/* Collective over comm, which has the ranks of A. Errors are those of this rank; if another rank
 * has failed, OVK_OK with out->A NULL. Destroy *out in any case, which is collective, too. */
ovk_err ovk__hypre_matrix_create(const ovk_mat *A, MPI_Comm comm, ovk__hypre_matrix *out);
void ovk__hypre_matrix_destroy(ovk__hypre_matrix *m);

/* Copies new values on the same pattern; *well <- whether all ranks could. Likewise. */
ovk_err ovk__hypre_matrix_refill(const ovk_mat *A, ovk__hypre_matrix *m, bool *well);

#endif
