/* SPDX-License-Identifier: BSD-2-Clause */
/* Solvers of hypre as preconditioners: their common part. */
#ifndef OVK_HYPRE_PRECOND_H
#define OVK_HYPRE_PRECOND_H

#include "to_hypre.h"
#include "vectors.h"

#include <HYPRE_parcsr_ls.h>
#include <ovkrylov/precond.h>

/* A solver of hypre and its functions. */
typedef struct ovk__hypre_solver {
  HYPRE_Solver solver;
  HYPRE_PtrToParSolverFcn setup, solve;
  HYPRE_Int (*destroy)(HYPRE_Solver); /* NULL: the caller destroys the solver */
} ovk__hypre_solver;

/* The state of a preconditioner. */
typedef struct ovk__hypre_precond {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__hypre_solver with;
  ovk__hypre_matrix copy; /* of a matrix of ovkrylov; empty for a matrix of hypre */
  HYPRE_ParCSRMatrix A;   /* that copy, or the matrix of hypre */
  ovk__hypre_vectors vectors;
  HYPRE_ParVector b, x; /* vectors for the next setup; NULL: zeros */
  char info[200];
} ovk__hypre_precond;

/* Creates a state with a separate communicator; the caller sets `with`. Collective. Returns NULL on
 * all ranks if one has failed; *err is the error of this rank. */
ovk__hypre_precond *ovk__hypre_precond_open(ovk_ctx *ctx, ovk_err *err);

/* Copies the matrix to hypre, unless P->A is set, and sets the solver up. *state <- P. If a rank
 * has failed, *state <- NULL and P is freed. Collective; errors are those of this rank. */
ovk_err ovk__hypre_precond_set_up(const ovk_mat *A, ovk__hypre_precond *P, void **state);

/* Functions of an ovk_precond_ops. */
ovk_err ovk__hypre_precond_apply(void *state, const double *r, double *z, ovk_poll poll);
ovk_err ovk__hypre_precond_update(const ovk_mat *A, void *state);
void ovk__hypre_precond_destroy(void *state);

/* Objects of hypre for the setup, instead of a copy of A and zero vectors. The matrix must remain.
 * */
typedef struct ovk__hypre_given {
  HYPRE_ParCSRMatrix A;
  HYPRE_ParVector b, x;
} ovk__hypre_given;

/* As ovk_hypre_precond_create(). */
ovk_err ovk__hypre_precond_create_on(ovk_mat *A, ovk__hypre_given given, ovk__hypre_solver with,
                                     ovk_precond **out);

#endif
